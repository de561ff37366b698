// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipsFor } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import {
  BITS_PER_NUMBER,
  deliveredEvents,
  deliveredMillis,
  deliveryGrid,
  gridSegments,
  type RequestedSegments,
  segmentAt,
} from './delivery.ts';

const shape = { name: 'f', segments: [50, 50], qualities: 2 };
const ladder = ladderOf([syntheticAsset(shape)]);
const frames = 1575; // 63 s: more segments than one number has bits
const clip = clipsFor(ladder).ad(`adx${frames}`, frames);
const grid = deliveryGrid(clip);
const indexOf = (id: string) => ladder.rungs.findIndex((rung) => rung.id === id);
const [v0, v1, a0] = [indexOf('v0'), indexOf('v1'), indexOf('a0')];
const quartiles = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'].map((name, index) => ({
  name,
  at: (63_000 * index) / 4,
}));

function requestSegments(requests: readonly (readonly [rung: number, index: number])[]): RequestedSegments {
  const requested = { pictures: [0, 0, 0], sound: [0, 0, 0] };
  for (const [rung, index] of requests) {
    const { kind, segments } = gridSegments(clip, grid, rung, index)!;
    for (const segment of segments)
      requested[kind][Math.floor(segment / BITS_PER_NUMBER)]! |= 1 << (segment % BITS_PER_NUMBER);
  }
  return requested;
}
const names = (requests: Parameters<typeof requestSegments>[0]) =>
  deliveredEvents(quartiles, grid, requestSegments(requests)).map(({ name }) => name);
const all = (rung: number, from = 0, to = grid.length): [number, number][] =>
  Array.from({ length: to - from }, (_, index) => [rung, from + index]);

test('an ad that is played to the end is delivered completely, in any quality', () => {
  expect(grid.at(-1)).toBe(63_000);
  expect(names(all(v0))).toEqual(['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete']);
  expect(names([...all(v0, 0, 9), ...all(v1, 9)])).toHaveLength(5);
  expect(deliveredMillis(grid, requestSegments(all(v1)))).toBe(63_000);
});

test('skipping from 10% to 90% of an ad delivers only its start', () => {
  const tenth = segmentAt(grid, 6300);
  const requests = [...all(v0, 0, tenth + 1), ...all(v0, segmentAt(grid, 56_700))];
  expect(names(requests)).toEqual(['start']);
  expect(deliveredMillis(grid, requestSegments(requests))).toBeLessThan(16_000);
});

test('joining in the middle of an ad delivers no event', () => {
  expect(names(all(v0, 5))).toEqual([]);
});

test('audio segments count for listeners, and not once a video segment was requested', () => {
  const listener = all(a0, 0, clip.ends[a0]! - clip.firsts[a0]!);
  expect(names(listener)).toHaveLength(5);
  expect(names([...listener, [v0, 0]])).toEqual(['start']);
});

test('segments and rungs that do not exist deliver nothing', () => {
  expect(gridSegments(clip, grid, 99, 0)).toBeUndefined();
  expect(gridSegments(clip, grid, v0, grid.length)).toBeUndefined();
  expect(deliveredEvents(quartiles, [], { pictures: [], sound: [] })).toEqual([]);
});

test('for any requests in any order, events are delivered in order, never withdrawn, and only with all their segments', () => {
  const requests = fc.array(fc.tuple(fc.constantFrom(v0, v1), fc.integer({ min: 0, max: grid.length - 1 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(requests, fc.nat(), (list, cut) => {
      const delivered = names(list);
      expect(delivered).toEqual(quartiles.slice(0, delivered.length).map(({ name }) => name));
      const earlier = names(list.slice(0, cut % (list.length + 1)));
      expect(delivered.slice(0, earlier.length)).toEqual(earlier);
      const requested = new Set(list.map(([, index]) => index));
      const last = quartiles[delivered.length - 1];
      if (last !== undefined) {
        for (let segment = 0; segment <= segmentAt(grid, last.at); segment += 1) expect(requested).toContain(segment);
      }
    }),
  );
});
