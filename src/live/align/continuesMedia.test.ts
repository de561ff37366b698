// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { list, logOf, OPTIONS, reading, text } from '../../../test/live/origin/readings.ts';
import { secondsToFlicks } from '../../time/units.ts';
import { continuesMedia } from './segmentLists.ts';

const segment = (mediaTime?: number) => ({
  duration: secondsToFlicks(2),
  ...(mediaTime === undefined ? {} : { mediaTime }),
});

test('media continue within half a second, and where times are not known', () => {
  expect(
    [3000, 2501, 3499, 2400, 3600, 1_003_000, 1000].map((time) => continuesMedia(segment(1000), segment(time), 1000)),
  ).toEqual([...[true, true, true, false, false, false, false]]);
  expect(continuesMedia(segment(), segment(900_000), 1000)).toBe(true);
  expect(continuesMedia(segment(5), segment(900_000))).toBe(true);
  expect(continuesMedia(undefined, segment(5), 1000)).toBe(true);
});

test('a stretch starts where the media time of any rendition jumps without a discontinuity', () => {
  const timed = (from: number, count: number, jumpAt: number) =>
    list(from, count).map((one) => ({ ...one, mediaTime: one.number * 2000 + (one.number < jumpAt ? 0 : 1_000_000) }));
  const options = { ...OPTIONS, timescales: [1000, 1000] };
  const shown = (own: number, other: number) =>
    logOf([reading(timed(0, 3, own), timed(0, 3, other)), reading(timed(0, 6, own), timed(0, 6, other))], options)
      .flatMap(({ slots }) => slots)
      .map(text);
  expect(shown(99, 99)).toEqual(['*0|0', '1|1', '2|2', '3|3', '4|4', '5|5']);
  expect(shown(4, 4)).toEqual(['*0|0', '1|1', '2|2', '3|3', '*4|4', '5|5']);
  // Between two readings, and of one rendition only.
  expect(shown(99, 3)).toEqual(['*0|0', '1|1', '2|2', '*3|3', '4|4', '5|5']);
});
