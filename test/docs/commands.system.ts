// SPDX-License-Identifier: Apache-2.0
// Executes the commands of every page that has no test of its own (`ownTests.ts`), page by page, against one installation.
// A single page: npx vitest run test/docs/commands.system.ts -t docs/reports.md
import { test } from 'vitest';
import { markdownPages, readPage } from '../../site/markdownPages.ts';
import { opened } from '../opened.ts';
import { codeBlocks } from './codeBlocks.ts';
import { openDocsStage } from './docsStage.ts';
import { ownTests } from './ownTests.ts';
import { isExecuted, runBlocks } from './runBlocks.ts';

const pages = markdownPages().filter((page) => !(page in ownTests) && codeBlocks(readPage(page)).some(isExecuted));

const stage = await opened(openDocsStage());

test.each(pages)('the commands of %s work and print what it shows', async (page) => {
  await runBlocks(page, readPage(page), stage.shell());
});
