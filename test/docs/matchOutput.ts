// SPDX-License-Identifier: Apache-2.0
// Compares the output of a command with the ```json or ```text block that follows it on the page.
import { expect } from 'vitest';

/** In expected values, `…` matches any text. Fields that the page omits are ignored. */
const matcherOf = (expected: unknown): unknown => {
  if (expected === '…') return expect.stringMatching(/./);
  if (Array.isArray(expected)) return expected.map(matcherOf);
  if (typeof expected !== 'object' || expected === null) return expected;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, matcherOf(value)])),
  );
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const trimmedLines = (text: string): string => text.trim().replace(/[ \t\r]+$/gm, '');

/** `…` matches the rest of a line or a part of it; a line of its own, any lines. */
const patternOf = (expected: string): RegExp => {
  const lines = trimmedLines(expected).split('\n');
  const parts = lines.map((line) =>
    line.trim() === '…' ? '(?:.*\n?)*?' : `${line.split('…').map(escaped).join('.*')}\n`,
  );
  return new RegExp(`^${parts.join('')}$`);
};

export function expectOutput(output: string, { language, content }: { language: string; content: string }): void {
  if (language === 'json') expect(JSON.parse(output)).toEqual(matcherOf(JSON.parse(content)));
  else if (!content.includes('…')) expect(trimmedLines(output)).toBe(trimmedLines(content));
  else expect(`${trimmedLines(output)}\n`).toMatch(patternOf(content));
}
