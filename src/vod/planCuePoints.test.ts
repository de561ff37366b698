// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { inFlicks, titleOfAll, twoSecondAsset } from '../../test/laws/syntheticTitle.ts';
import { naming } from '../../test/naming.ts';
import type { ContentItem, CuePoint } from '../channels/playlist.ts';
import { flicksToSeconds } from '../time/units.ts';
import { MAX_BREAKS } from './breakPlan.ts';
import { planCuePoints } from './planCuePoints.ts';

const title = titleOfAll(twoSecondAsset('first', 10), twoSecondAsset('second', 5));
const item = (cuePoints: readonly CuePoint[], more: Partial<ContentItem> = {}): ContentItem => ({
  sourceType: 'url',
  url: 'https://origin.test/',
  cuePoints,
  ...more,
});
const at = (spliceTime: number, maxDuration = 10): CuePoint => ({ spliceTime, maxDuration });
const plan = (...items: ContentItem[]) => planCuePoints(title, items);
const secondsOf = (...items: ContentItem[]) => plan(...items).breaks.map((one) => flicksToSeconds(one.at));

test('cue points of each item are positions after its start, snapped to the nearest cut point', () => {
  const { breaks, dropped } = plan(item([at(12.9), at(0)]), item([at(3.5, 15)]));
  expect(breaks).toEqual([
    { id: '0-1', origin: 'cuePoint', at: 0, requested: 0, duration: 10, warnings: [] },
    { id: '0-2', origin: 'cuePoint', at: inFlicks(12), requested: inFlicks(12.9), duration: 10, warnings: [] },
    { id: '0-3', origin: 'cuePoint', at: inFlicks(24), requested: inFlicks(23.5), duration: 15, warnings: [] },
  ]);
  expect(dropped).toEqual([]);
});

test('-1 is the end of the item, and percentages refer to its media', () => {
  expect(secondsOf(item([at(-1)]), item([at(-1)]))).toEqual([20, 30]);
  const percent = { spliceType: 'percent' } as const;
  expect(secondsOf(item([at(0), at(50), at(100)], percent), item([at(40)], percent))).toEqual([0, 10, 20, 24]);
});

test('a position up to a second past the end, or at the declared duration, is the end', () => {
  expect(secondsOf(item([]), item([at(11)]))).toEqual([30]);
  expect(secondsOf(item([]), item([at(40)], { duration: 40 }))).toEqual([30]);
  expect(secondsOf(item([]), item([at(8)], { duration: 8 }))).toEqual([30]);
  expect(plan(item([]), item([at(11)])).breaks[0]!.requested).toBe(inFlicks(31));
});

test('a position further past the end is dropped', () => {
  const { breaks, dropped } = plan(item([at(8)]), item([at(11.1), at(4)], { duration: 20 }));
  expect(breaks.map(({ id }) => id)).toEqual(['0-1', '0-2']);
  expect(dropped).toEqual([
    { id: '0-3', origin: 'cuePoint', requested: inFlicks(31.1), code: 'PAST_THE_END', text: naming('11.1', '10.0') },
  ]);
});

test('a break lasts from half a second to an hour, and as long as breaks of the channel if there is no maxDuration', () => {
  const { breaks, dropped } = plan(item([at(2, 0.4), at(4, 0.5), at(8, 9999), { spliceTime: 12 }]));
  expect(breaks.map(({ duration }) => duration)).toEqual([0.5, 3600, 30]);
  expect(breaks.some(({ isOpen }) => isOpen)).toBe(false);
  expect(dropped).toEqual([
    { id: '0-4', origin: 'cuePoint', requested: inFlicks(2), code: 'TOO_SHORT', text: naming('0.4', '2.0') },
  ]);
  expect(planCuePoints(title, [item([{ spliceTime: 12 }, at(2)])], 12.5).breaks).toMatchObject([
    { duration: 10 },
    { duration: 12.5 },
  ]);
});

test('cue points that land on one position are one break with a warning', () => {
  const [first, second] = [
    { ...at(11.1), maxAds: 2 },
    { ...at(12.4, 20.5), maxAds: 3 },
  ];
  const merged = {
    id: '0-1',
    origin: 'cuePoint',
    at: inFlicks(12),
    requested: inFlicks(11.1),
    duration: 30.5,
    maxAds: 5,
  };
  const warnings = [naming('2', '11.1', '12.4', '30.5')];
  expect(plan(item([first, second])).breaks).toEqual([{ ...merged, warnings }]);
  const border = plan(item([{ ...at(-1), maxAds: 1 }]), item([at(0), at(0.2, 3599)]));
  const longest = { id: '0-1', origin: 'cuePoint', at: inFlicks(20), requested: inFlicks(20), duration: 3600 };
  expect(border.breaks).toEqual([{ ...longest, warnings: [naming('3', '20.0', '20.2', '3600')] }]);
});

test('a break that moves far has a warning with the distance', () => {
  const part = { ...title.items[0]!.asset.parts[0]!, cutPoints: Float64Array.from([0, inFlicks(20)]) };
  const whole = titleOfAll(twoSecondAsset('whole', 10, { parts: [part] }));
  expect(planCuePoints(whole, [item([at(6)])]).breaks).toMatchObject([{ at: 0, warnings: [naming('6.0')] }]);
});

test('drops the breaks after the first hundred', () => {
  const long = titleOfAll(twoSecondAsset('long', 120));
  const cuePoints = Array.from({ length: 110 }, (_, index) => at(2 * index));
  const { breaks, dropped } = planCuePoints(long, [item(cuePoints)]);
  expect(breaks).toHaveLength(MAX_BREAKS);
  expect(breaks.at(-1)).toMatchObject({ id: '0-100', at: inFlicks(198) });
  expect(dropped.map(({ code }) => code)).toEqual(new Array(10).fill('TOO_MANY_BREAKS'));
  expect(dropped[0]).toMatchObject({ id: '0-101', requested: inFlicks(200), text: naming('110', '100') });
});

test('of many faulty cue points, the first hundred are listed', () => {
  const { dropped } = plan(item(Array.from({ length: 250 }, () => at(500))));
  expect(dropped).toHaveLength(100);
  expect(dropped.at(-1)!.text).toEqual(naming('150'));
});

test('items without cue points have no breaks', () => {
  expect(plan(item([]), { sourceType: 'placeholder' })).toEqual({ breaks: [], dropped: [] });
});
