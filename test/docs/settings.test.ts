// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { writePage } from '../../scripts/writeEnvExample.ts';
import { markdownPages, readPage } from '../../site/markdownPages.ts';
import { environment } from '../../src/settings/environment.ts';
import { readText } from '../repositoryFiles.ts';

test('docs/settings.md lists every setting with its default and description', () => {
  const page = readText('docs/settings.md');
  expect(page, 'run "npm run env:example"').toBe(writePage());
  for (const name of Object.keys(environment.properties)) expect(page).toContain(`| \`${name}\` |`);
});

test('no other page has a table of settings', () => {
  const isRow = (line: string): boolean => {
    const [, name = ''] = /^\| `([A-Z_]+)` \|/.exec(line) ?? [];
    return Object.hasOwn(environment.properties, name);
  };
  const others = markdownPages().filter((path) => path !== 'docs/settings.md');
  expect(others.filter((path) => readPage(path).split('\n').some(isRow))).toEqual([]);
});
