// SPDX-License-Identifier: Apache-2.0
// docs/troubleshooting.md quotes messages of the source and lists all reasons of breaks and ads.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skipReasons } from '../../src/platform/reports/rules/catalogue.ts';
import { readText, root } from '../repositoryFiles.ts';

const page = readText('docs/troubleshooting.md');

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  // As in the text of a message, not as in its source: quotes in strings may be escaped.
  .map((path) => readText(join('src', path)).replaceAll("\\'", "'"));

type Table = { readonly header: string; readonly section: string; readonly firstCells: string[] };

function tablesOf(markdown: string): Table[] {
  const tables: Table[] = [];
  let [section, isOpen] = ['', false];
  for (const line of markdown.split('\n')) {
    const [, first] = /^\| (.*?) \|/.exec(line) ?? [];
    if (line.startsWith('#')) section = line.replace(/^#+ /, '');
    if (first === undefined) isOpen = isOpen && line.startsWith('|');
    else if (isOpen) tables.at(-1)!.firstCells.push(first);
    else {
      tables.push({ header: first, section, firstCells: [] });
      isOpen = true;
    }
  }
  return tables;
}

const tables = tablesOf(page);
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

/** What the program that is named after `with` prints, such as SQLite, is not in the source. */
const messages = [
  ...tables
    .filter(({ header }) => header === 'message')
    .flatMap(({ firstCells }) => firstCells.flatMap((cell) => codeIn(cell.split('` with `')[0]!))),
  ...[...page.matchAll(/\*\*`([^`]+)`\*\*/g)].map(([, message]) => message!),
].filter((message) => message.includes(' '));

test('quotes messages', () => expect(messages.length).toBeGreaterThan(50));

/** Parts shorter than this, such as a full stop, would be found anywhere. */
const LEAST = 3;
const isPrinted = (message: string): boolean => {
  const parts = message.split('…').flatMap((part) => (part.trim().length < LEAST ? [] : [part.trim()]));
  return parts.length > 0 && parts.every((part) => sources.some((source) => source.includes(part)));
};

test.each([...new Set(messages)])('the source contains the message %s', (message) => {
  expect(isPrinted(message)).toBe(true);
});

const codesBelow = (section: string): string[] =>
  tables.filter((table) => table.section === section).flatMap(({ firstCells }) => firstCells.flatMap(codeIn));

test('explains every reason for skipping an ad', () => {
  expect(codesBelow('Reasons of an ad').sort()).toEqual(Object.keys(skipReasons).sort());
});

test('explains only reasons of breaks that exist', () => {
  const codes = codesBelow('Reasons of a break');
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) expect(sources.some((source) => source.includes(`'${code}'`))).toBe(true);
});
