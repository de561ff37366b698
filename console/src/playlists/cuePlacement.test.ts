// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { landCuePoints } from '../../../src/channels/cuePoints.ts';
import { nearestPoint } from '../../../src/scheduling/breakRules.ts';
import { flicksToSeconds } from '../../../src/time/units.ts';
import { usableCutPoints } from '../../../src/timeline/asset/breakPoints.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { freeCutPoint, fromSeconds, stepCutPoint, toSeconds } from './cuePlacement.ts';

const rate = { n: 25, d: 1 };
const asset = syntheticAsset({
  name: 'asset',
  rate,
  sampleRate: 48_000,
  qualities: 1,
  audioEvery: 3.84,
  segments: new Array(30).fill(50),
});
const duration = flicksToSeconds(asset.duration);
const points = usableCutPoints(asset, asset.renditions).map(flicksToSeconds);

test('shows a cue point where the channel places it, in seconds and in per cent', () => {
  const spliceType = fc.constantFrom('seconds' as const, 'percent' as const);
  fc.assert(
    fc.property(spliceType, fc.double({ min: 0, max: 100, noNaN: true }), (type, spliceTime) => {
      const item = { sourceType: 'url' as const, spliceType: type, cuePoints: [{ spliceTime, maxDuration: 10 }] };
      const { landsAt } = landCuePoints(item, asset, asset.renditions, rate).reports[0]!;
      expect(nearestPoint(points, toSeconds(spliceTime, type, duration))).toBeCloseTo(landsAt!, 5);
    }),
  );
});

test('a stored cut point snaps to itself', () => {
  for (const point of points)
    for (const type of ['seconds', 'percent'] as const)
      expect(nearestPoint(points, toSeconds(fromSeconds(point, type, duration), type, duration))).toBe(point);
});

test('the end of an item in either unit', () => {
  expect(toSeconds(-1, 'seconds', 40)).toBe(40);
  expect(toSeconds(-1, 'percent', 40)).toBe(40);
});

test('steps from cut point to cut point and stops at the ends', () => {
  expect(stepCutPoint([0, 2, 4], 1.9, 1)).toBe(4);
  expect(stepCutPoint([0, 2, 4], 4, 5)).toBe(4);
  expect(stepCutPoint([0, 2, 4], 0.4, -1)).toBe(0);
  expect(stepCutPoint([], 7, 1)).toBe(7);
});

test('puts a new break into the longest interval without one', () => {
  expect(freeCutPoint([0, 10, 20, 30, 40], [], 40)).toBe(20);
  expect(freeCutPoint([0, 10, 20, 30, 40], [10], 40)).toBe(20);
  expect(freeCutPoint([0, 10, 20, 30, 40], [30, 20], 40)).toBe(10);
  expect(freeCutPoint([], [], 40)).toBe(20);
});

test('finds nothing without cut points', () => expect(nearestPoint([], 3)).toBeUndefined());
