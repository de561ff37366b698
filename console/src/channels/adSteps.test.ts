// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { dropOnto, moveSource, newStep, nextPlace, type StepRows, stepRows, stepsOf } from './adSteps.ts';

const steps = (...sources: string[]): StepRows => sources.map((ids) => ({ ...newStep, sources: [...ids] }));
const idsOf = (rows: StepRows) => rows.map(({ sources }) => sources.join(''));

test('the steps that are sent are those that were read, without defaults', () => {
  const stored = [
    { sources: ['a', 'b'], timeShare: 60 },
    { sources: ['c'], request: 'break' },
  ];
  expect(stepsOf(stepRows(stored))).toEqual(stored);
  expect(stepsOf(stepRows([{ sources: ['a'], request: 'rest' }]))).toEqual([{ sources: ['a'] }]);
  expect(stepsOf([{ ...newStep, timeShare: 'half' }])).toEqual([{ sources: [], timeShare: 'half' }]);
});

test('a source moves within its step and over its borders', () => {
  const rows = steps('ab', 'c', '');
  const after = (step: number, at: number, by: -1 | 1) => {
    const to = nextPlace(rows, { step, at }, by);
    return to && idsOf(moveSource(rows, { step, at }, to));
  };
  expect(after(0, 0, 1)).toEqual(['ba', 'c', '']);
  expect(after(0, 1, 1)).toEqual(['a', 'bc', '']);
  expect(after(1, 0, -1)).toEqual(['abc', '', '']);
  expect(after(1, 0, 1)).toEqual(['ab', '', 'c']);
  expect(after(0, 0, -1)).toBeUndefined();
  expect(nextPlace(steps('a'), { step: 0, at: 0 }, 1)).toBeUndefined();
});

test('what is dropped takes the place of a source, or becomes the last one of a step', () => {
  const rows = steps('abc', 'd');
  expect(idsOf(dropOnto(rows, '0/0', '0/2'))).toEqual(['bca', 'd']);
  expect(idsOf(dropOnto(rows, '0/1', '1/0'))).toEqual(['ac', 'bd']);
  expect(idsOf(dropOnto(rows, '0/0', '1'))).toEqual(['bc', 'da']);
  expect(idsOf(dropOnto(rows, '0/0', '0'))).toEqual(['bca', 'd']);
  expect(idsOf(dropOnto(rows, '1', '0'))).toEqual(['d', 'abc']);
  expect(idsOf(dropOnto(rows, '1', '0/2'))).toEqual(['d', 'abc']);
});

test('dropping never loses or repeats a source', () => {
  const place = fc
    .tuple(fc.nat(3), fc.option(fc.nat(3)))
    .map(([step, at]) => (at === null ? `${step}` : `${step}/${at}`));
  fc.assert(
    fc.property(fc.shuffledSubarray([...'abcdef']), fc.nat(6), place, place, (ids, cut, from, to) => {
      const rows = steps(ids.slice(0, cut).join(''), ids.slice(cut).join(''), '');
      const all = (list: StepRows) => idsOf(list).join('').split('').sort();
      expect(all(dropOnto(rows, from, to))).toEqual(all(rows));
    }),
    lawRuns(200),
  );
});
