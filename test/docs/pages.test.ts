// SPDX-License-Identifier: Apache-2.0
// What single pages promise: sources, and completeness.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, root } from '../repositoryFiles.ts';
import { capabilities } from './capabilities.ts';

const sectionOf = (page: string, title: string): string => {
  const [, section = ''] = page.split(`\n## ${title}\n`);
  return section.split(/\n## |\n\[/)[0]!;
};
/** Without the header. */
const rowsBelow = (page: string, title: string): string[] =>
  sectionOf(page, title)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);

test('every statement of docs/comparison.md about another product has a source', () => {
  const page = readText('docs/comparison.md');
  const defined = [...page.matchAll(/^\[([\w-]+)\]: https:\/\/\S+$/gm)].map(([, name]) => name!);
  const used = new Set([...page.matchAll(/\]\[([\w-]+)\]/g)].map(([, name]) => name!));
  expect([...used].sort()).toEqual(defined.sort());
  const rows = rowsBelow(page, 'Hosted services');
  expect(rows.length).toBeGreaterThan(10);
  // The first cells are the criterion and Midroll.
  for (const row of rows)
    for (const cell of row.split(' | ').slice(2)) expect(cell).toMatch(/^not documented|\]\[[\w-]+\]/);
});

test('docs/comparison.md claims what test/docs/capabilities.ts lists, and denies none of it', () => {
  const page = readText('docs/comparison.md');
  const claimed = ['Hosted services', 'What Midroll does'].flatMap((title) => rowsBelow(page, title));
  expect(claimed.map((row) => row.split(' | ')[0]!.slice(2))).toEqual(Object.keys(capabilities));
  const denied = ['When to choose something else', 'What Midroll does not do'].map((title) => sectionOf(page, title));
  for (const text of denied) {
    expect(text).toContain('- ');
    for (const { denial } of Object.values(capabilities)) if (denial) expect(text).not.toMatch(denial);
  }
});

test('what proves the claims of docs/comparison.md exists', () => {
  const tests = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(test|system|long)\.ts$/.test(path))
      .map((path) => readText(join(folder, path))),
  );
  const isThere = (proof: string) => existsSync(join(root, proof)) || tests.some((text) => text.includes(`'${proof}`));
  const missing = Object.entries(capabilities).filter(([, { proof }]) => !isThere(proof));
  expect(missing, 'Without this test or file: correct test/docs/capabilities.ts, or the page.').toEqual([]);
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
