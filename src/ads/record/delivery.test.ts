import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipsFor } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { ladderOf } from '../../timeline/ladderOf.ts';
import {
  BITS_PER_NUMBER,
  deliveredEvents,
  deliveredMillis,
  deliveryGrid,
  gridSegments,
  type RequestedSegments,
  segmentAt,
} from './delivery.ts';

const film = syntheticAsset({ name: 'f', rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: [50, 50], qualities: 2 });
const ladder = ladderOf([film]);
const frames = 1575; // 63 s: more segments than one number has bits
const clip = clipsFor(ladder).ad(`adx${frames}`, frames);
const grid = deliveryGrid(clip);
const [v0, v1, a0] = ['v0', 'v1', 'a0'].map((id) => ladder.rungs.findIndex((rung) => rung.id === id)) as [
  number,
  number,
  number,
];
const quartiles = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'].map((name, index) => ({
  name,
  at: (63_000 * index) / 4,
}));

function ask(requests: readonly (readonly [rung: number, index: number])[]): RequestedSegments {
  const asked = { pictures: [0, 0, 0], sound: [0, 0, 0] };
  for (const [rung, index] of requests) {
    const { kind, segments } = gridSegments(clip, grid, rung, index)!;
    for (const place of segments) asked[kind][Math.floor(place / BITS_PER_NUMBER)]! |= 1 << (place % BITS_PER_NUMBER);
  }
  return asked;
}
const names = (requests: Parameters<typeof ask>[0]) =>
  deliveredEvents(quartiles, grid, ask(requests)).map(({ name }) => name);
const all = (rung: number, from = 0, to = grid.length): [number, number][] =>
  Array.from({ length: to - from }, (_, index) => [rung, from + index]);

test('an ad that is played through delivers all of it, whichever quality', () => {
  expect(grid.at(-1)).toBe(63_000);
  expect(names(all(v0))).toEqual(['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete']);
  expect(names([...all(v0, 0, 9), ...all(v1, 9)])).toHaveLength(5);
  expect(deliveredMillis(grid, ask(all(v1)))).toBe(63_000);
});

test('who skips from a tenth to nine tenths is given the start and nothing that follows', () => {
  const tenth = segmentAt(grid, 6300);
  const requests = [...all(v0, 0, tenth + 1), ...all(v0, segmentAt(grid, 56_700))];
  expect(names(requests)).toEqual(['start']);
  expect(deliveredMillis(grid, ask(requests))).toBeLessThan(16_000);
});

test('who comes in the middle is given nothing to count', () => {
  expect(names(all(v0, 5))).toEqual([]);
});

test('sound counts for those who listen, and not beside pictures', () => {
  const listener = all(a0, 0, clip.ends[a0]! - clip.firsts[a0]!);
  expect(names(listener)).toHaveLength(5);
  expect(names([...listener, [v0, 0]])).toEqual(['start']);
});

test('what is not there is nobody’s', () => {
  expect(gridSegments(clip, grid, 99, 0)).toBeUndefined();
  expect(gridSegments(clip, grid, v0, grid.length)).toBeUndefined();
  expect(deliveredEvents(quartiles, [], { pictures: [], sound: [] })).toEqual([]);
});

test('for any requests in any order: events are a beginning of the list, never taken back, and held by what was asked for', () => {
  const requests = fc.array(fc.tuple(fc.constantFrom(v0, v1), fc.integer({ min: 0, max: grid.length - 1 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(requests, fc.nat(), (list, cut) => {
      const told = names(list);
      expect(told).toEqual(quartiles.slice(0, told.length).map(({ name }) => name));
      const earlier = names(list.slice(0, cut % (list.length + 1)));
      expect(told.slice(0, earlier.length)).toEqual(earlier);
      const asked = new Set(list.map(([, index]) => index));
      const last = quartiles[told.length - 1];
      if (last !== undefined) {
        for (let place = 0; place <= segmentAt(grid, last.at); place += 1) expect(asked).toContain(place);
      }
    }),
  );
});
