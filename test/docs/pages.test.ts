// SPDX-License-Identifier: Apache-2.0
// What single pages promise: sources, and completeness.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, root } from '../repositoryFiles.ts';

test('every statement of docs/comparison.md about another product has a source', () => {
  const page = readText('docs/comparison.md');
  const defined = [...page.matchAll(/^\[([\w-]+)\]: https:\/\/\S+$/gm)].map(([, name]) => name!);
  const used = new Set([...page.matchAll(/\]\[([\w-]+)\]/g)].map(([, name]) => name!));
  expect([...used].sort()).toEqual(defined.sort());
  const [, hosted] = page.split('\n## ');
  const rows = hosted!.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
  expect(rows.length).toBeGreaterThan(10);
  // The first cells are the criterion and Midroll.
  for (const row of rows)
    for (const cell of row.split(' | ').slice(2)) expect(cell).toMatch(/^not documented|\]\[[\w-]+\]/);
});

test('docs/architecture.md lists every module', () => {
  const modules = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const table = readText('docs/architecture.md').split('\n## Modules')[1];
  for (const { name } of modules) expect(table).toContain(`\`${name}\``);
});

test('docs/vod.md shows the functions of examples/clocks.js', () => {
  const functions = readText('examples/clocks.js').split('\n\n').slice(1).join('\n\n').trim();
  expect(functions).toContain('export function');
  expect(readText('docs/vod.md')).toContain(functions);
});
