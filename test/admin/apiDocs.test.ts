// SPDX-License-Identifier: Apache-2.0
// Runs every command of docs/api.md in order, in one shell, and compares the output with the page.

import { expect, test } from 'vitest';
import { readPage } from '../../site/markdownPages.ts';
import { installTools } from '../docs/installTools.ts';
import { runBlocks } from '../docs/runBlocks.ts';
import { opened, scratchFolder } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';

const page = 'docs/api.md';
const scratch = scratchFolder();
const admin = await opened(startAdmin({ rateLimit: 200 }));
const BASE_URL = await admin.app.listen({ port: 0, host: '127.0.0.1' });

test('the commands in docs/api.md have the output that the page shows', async () => {
  const env = {
    ...installTools(scratch),
    BASE_URL,
    KEY: admin.key,
    DATA_DIR: admin.dataDir,
  };
  const outputs = await runBlocks(page, readPage(page), { cwd: scratch, env });
  expect(outputs.length).toBeGreaterThan(10);
});
