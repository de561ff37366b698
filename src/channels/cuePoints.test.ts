// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { naming } from '../../test/naming.ts';
import { landCuePoints } from './cuePoints.ts';
import type { ContentItem } from './playlist.ts';

const rate = { n: 25, d: 1 };
const assetWith = (count: number, more: object = {}) =>
  syntheticAsset({ name: 'asset', rate, segments: new Array(count).fill(50), ...more });
const land = (asset: ReturnType<typeof assetWith>, item: Omit<ContentItem, 'sourceType'>) =>
  landCuePoints({ sourceType: 'url', ...item }, asset, asset.renditions, rate);
const at = (spliceTime: number, maxDuration: number | undefined = 10) => ({ spliceTime, maxDuration });

test('cue points snap to the nearest cut point, of two to the earlier, and never beyond the ends', () => {
  const { reports } = land(assetWith(10), { cuePoints: [at(0), at(2.9), at(3), at(3.1), at(18.99), at(20), at(4000)] });
  expect(reports.map(({ landsAt }) => landsAt)).toEqual([0, 2, 2, 4, 18, 20, 20]);
});

test('a cue point that moves by more than five seconds has a warning with the distance; a smaller move has none', () => {
  const asset = assetWith(10);
  const points = Float64Array.from([0, 8, 20], (second) => second * 705_600_000);
  const cut = { ...asset, parts: [{ ...asset.parts[0]!, cutPoints: points }] };
  const { reports } = land(cut, { cuePoints: [at(13), at(13.5), at(30), at(8)] });
  expect(reports).toEqual([
    { spliceTime: 13, landsAt: 8 },
    { spliceTime: 13.5, landsAt: 8, warning: naming('5.5', '13.5') },
    { spliceTime: 30, landsAt: 20, warning: naming('10.0', '30.0') },
    { spliceTime: 8, landsAt: 8 },
  ]);
  const percent = land(cut, { spliceType: 'percent', cuePoints: [at(70)] }).reports;
  expect(percent).toEqual([{ spliceTime: 70, landsAt: 8, warning: naming('6.0', '14.0') }]);
});

test('a percentage refers to the whole asset', () => {
  const { reports } = land(assetWith(10), { spliceType: 'percent', cuePoints: [at(0), at(50), at(99), at(100)] });
  expect(reports.map(({ landsAt }) => landsAt)).toEqual([0, 10, 20, 20]);
});

test('-1 is the end of the item, in either unit', () => {
  for (const spliceType of ['seconds', 'percent'] as const)
    expect(land(assetWith(10), { spliceType, cuePoints: [at(-1)] }).reports).toEqual([{ spliceTime: -1, landsAt: 20 }]);
});

test('a cue point without a duration has the one of the channel, or 30 s', () => {
  const [asset, item] = [assetWith(10), { sourceType: 'url', cuePoints: [{ spliceTime: 4 }, at(8)] } as const];
  const framesOf = (breakDuration?: number) =>
    landCuePoints(item, asset, asset.renditions, rate, breakDuration).landings.map(({ frames }) => frames);
  expect(framesOf()).toEqual([750, 250]);
  expect(framesOf(12.4)).toEqual([310, 250]);
});

test('landings are sorted by time, those at one position by list order; reports keep the list order', () => {
  const { landings, reports } = land(assetWith(10), { cuePoints: [at(12, 3), at(4, 1), at(12.1, 2)] });
  expect(landings.map(({ cue }) => cue.maxDuration)).toEqual([1, 3, 2]);
  expect(reports.map(({ spliceTime }) => spliceTime)).toEqual([12, 4, 12.1]);
});

test('a break lasts from half a second to an hour', () => {
  const { landings, reports } = land(assetWith(10), { cuePoints: [at(4, 0.4), at(4, 0.5), at(4, 9999)] });
  expect(landings.map(({ frames }) => frames)).toEqual([13, 90_000]);
  expect(reports[0]).toEqual({ spliceTime: 4, reason: naming('0.5', 'maxDuration', '0.4') });
});

test('there is no break where a rung would have no segment on one side', () => {
  const asset = assetWith(10, { audioEvery: 30 });
  const part = { ...asset.parts[0]!, cutPoints: Float64Array.from([0, 4, 16, 20], (second) => second * 705_600_000) };
  const { reports } = land({ ...asset, parts: [part] }, { cuePoints: [at(4), at(16)] });
  expect(reports.map(({ landsAt }) => landsAt)).toEqual([0, 20]);
});

test('no break leaves a very short piece of content before or after it', () => {
  const asset = syntheticAsset({ name: 'end', rate, segments: [50, 50, 12] });
  const { reports } = land(asset, { cuePoints: [at(4), at(4.2)] });
  expect(asset.parts[0]!.cutPoints).toHaveLength(4);
  expect(reports.map(({ landsAt }) => landsAt)).toEqual([4.48, 4.48]);
});

test('finds the nearest usable cut point for any requested position', () => {
  const asset = assetWith(30, { audioEvery: 3.84 });
  const points = [...asset.parts[0]!.cutPoints].map((point) => point / 705_600_000);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 70, noNaN: true }), (spliceTime) => {
      const { landsAt } = land(asset, { cuePoints: [at(spliceTime)] }).reports[0]!;
      const best = Math.min(...points.map((point) => Math.abs(point - spliceTime)));
      expect(Math.abs(landsAt! - spliceTime)).toBeCloseTo(best, 5);
    }),
  );
});
