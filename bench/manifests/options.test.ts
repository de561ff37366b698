// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

const known = ['hls-1', 'hls-200', 'dash-1'];

test('without arguments, five rounds of half a second of every row', () => {
  expect(readOptions([], known)).toEqual({ rows: [], isList: false, rounds: 5, seconds: 0.5 });
});

test('named rows have the order of the bench', () => {
  const options = readOptions(['dash-1', '--rounds', '7', 'hls-1', '--base', 'HEAD~1', '--seconds=2'], known);
  expect(options).toEqual({ rows: ['hls-1', 'dash-1'], isList: false, rounds: 7, seconds: 2, base: 'HEAD~1' });
});

test.each([
  [['hls-7'], 'hls-7'],
  [['--rounds', 'many'], 'many'],
  [['--seconds', '0'], '0'],
  [['--fast'], '--fast'],
])('%j is an error that contains %s', (args, value) => {
  expect(() => readOptions(args, known)).toThrow(value);
});
