import fc from 'fast-check';
import { expect, test } from 'vitest';
import { landCuePoints, usableCutPoints } from '../../../src/channels/cuePoints.ts';
import { flicksToSeconds } from '../../../src/time/units.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { freeSpot, fromSeconds, nearestCutPoint, stepCutPoint, toSeconds } from './cuePlacing.ts';

const rate = { n: 25, d: 1 };
const asset = syntheticAsset({
  ...{ name: 'film', rate, sampleRate: 48_000, qualities: 1, audioEvery: 3.84 },
  segments: new Array(30).fill(50),
});
const duration = flicksToSeconds(asset.duration);
const points = usableCutPoints(asset, asset.renditions).map(flicksToSeconds);

test('a cue point is shown to land where a channel lets it land, in seconds and in per cent', () => {
  const spliceType = fc.constantFrom('seconds' as const, 'percent' as const);
  fc.assert(
    fc.property(spliceType, fc.double({ min: 0, max: 100, noNaN: true }), (type, spliceTime) => {
      const item = { sourceType: 'url' as const, spliceType: type, cuePoints: [{ spliceTime, maxDuration: 10 }] };
      const { landsAt } = landCuePoints(item, asset, asset.renditions, rate).reports[0]!;
      expect(nearestCutPoint(points, toSeconds(spliceTime, type, duration))).toBeCloseTo(landsAt!, 5);
    }),
  );
});

test('what is written down for a cut point lands on it again', () => {
  for (const point of points)
    for (const type of ['seconds', 'percent'] as const)
      expect(nearestCutPoint(points, toSeconds(fromSeconds(point, type, duration), type, duration))).toBe(point);
});

test('steps go from cut point to cut point and stop at the ends', () => {
  expect(stepCutPoint([0, 2, 4], 1.9, 1)).toBe(4);
  expect(stepCutPoint([0, 2, 4], 4, 5)).toBe(4);
  expect(stepCutPoint([0, 2, 4], 0.4, -1)).toBe(0);
  expect(stepCutPoint([], 7, 1)).toBe(7);
});

test('a new break goes into the longest stretch', () => {
  expect(freeSpot([0, 10, 20, 30, 40], [], 40)).toBe(20);
  expect(freeSpot([0, 10, 20, 30, 40], [10], 40)).toBe(20);
  expect(freeSpot([0, 10, 20, 30, 40], [30, 20], 40)).toBe(10);
  expect(freeSpot([], [], 40)).toBe(20);
});

test('without cut points nothing lands', () => expect(nearestCutPoint([], 3)).toBeUndefined());
