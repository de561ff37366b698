// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakAt, type Clock, contentTimeOf, streamTimeOf } from './contentClock.ts';

/** Breaks with content before, between and after them, laid out as the live port does. */
const layOut = (parts: readonly (readonly [content: number, duration: number])[]): Clock[] => {
  let [contentTime, streamTime] = [0, 0];
  return parts.map(([content, duration]) => {
    contentTime += content;
    streamTime += content;
    const one = { contentTime, streamTime, duration };
    streamTime += duration;
    return one;
  });
};
/** A pre-roll, a mid-roll and a post-roll in 100 s of content. */
const breaks = layOut([
  [0, 30],
  [40, 20],
  [60, 10],
]);

test('a position of the content is later in the stream by the breaks before it', () => {
  expect([1, 39, 41, 99].map((time) => streamTimeOf(time, breaks))).toEqual([31, 69, 91, 149]);
  expect([31, 69, 91, 149].map((time) => contentTimeOf(time, breaks))).toEqual([1, 39, 41, 99]);
});

test('the position of a break is its start, and content time stands still in it', () => {
  expect([0, 40, 100].map((time) => streamTimeOf(time, breaks))).toEqual([0, 70, 150]);
  expect([0, 15, 29.9, 70, 85, 150, 160].map((time) => contentTimeOf(time, breaks))).toEqual([
    0, 0, 0, 40, 40, 100, 100,
  ]);
});

test('without breaks both clocks are the same', () => {
  expect([streamTimeOf(12, []), contentTimeOf(12, [])]).toEqual([12, 12]);
});

test('finds the break that plays', () => {
  expect([0, 29, 30, 69, 70, 89, 90, 150, 160].map((time) => breakAt(time, breaks)?.contentTime)).toEqual([
    ...[0, 0, undefined, undefined, 40, 40, undefined, 100, undefined],
  ]);
});

test('mapping to the stream and back returns the same position, in order', () => {
  const parts = fc.array(fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 1, max: 120 })), {
    maxLength: 12,
  });
  const times = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(parts, times, (laidOut, positions) => {
      const each = layOut(laidOut);
      const sorted = [...positions].sort((a, b) => a - b);
      const mapped = sorted.map((time) => streamTimeOf(time, each));
      expect(mapped).toEqual([...mapped].sort((a, b) => a - b));
      expect(mapped.map((time) => contentTimeOf(time, each))).toEqual(sorted);
    }),
  );
});
