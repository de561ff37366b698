// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { inFlicks, titleOfAll, twoSecondAsset } from '../../test/laws/syntheticTitle.ts';
import { naming } from '../../test/naming.ts';
import { readAdDocument } from '../vast/read/readAdResponse.ts';
import type { VmapBreak } from '../vast/read/readVmap.ts';
import { MAX_BREAKS } from './breakPlan.ts';
import { cueOpportunities } from './planCuePoints.ts';
import { planVmap } from './planVmap.ts';

const title = titleOfAll(twoSecondAsset('first', 10), twoSecondAsset('second', 5));

/** The breaks of a document with these AdBreak elements, each written as its attributes. */
function breaksOf(...attributes: readonly string[]): readonly VmapBreak[] {
  const elements = attributes.map((text) => `<vmap:AdBreak ${text}/>`).join('');
  const read = readAdDocument(
    `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${elements}</vmap:VMAP>`,
  );
  if (!('adBreaks' in read)) throw new Error('not VMAP');
  return read.adBreaks;
}
const offsets = (...list: readonly string[]) => breaksOf(...list.map((offset) => `timeOffset="${offset}"`));
/** The seconds of each planned break, and which breaks of the document it shows. */
const placesOf = ({ plan, sources }: ReturnType<typeof planVmap>) =>
  plan.breaks.map(({ id, at }) => `${at / inFlicks(1)}: ${sources.get(id)}`);

test('start, end, times and percentages are positions in the content', () => {
  const planned = planVmap(title, offsets('end', '00:00:12.900', 'start', '80%'));
  expect(placesOf(planned)).toEqual(['0: 2', '12: 1', '24: 3', '30: 0']);
  const place = { id: '0-2', origin: 'vmap', at: inFlicks(12), requested: inFlicks(12.9) };
  expect(planned.plan.breaks[1]).toEqual({ ...place, duration: 30, isOpen: true, warnings: [] });
  expect(planVmap(title, offsets('start'), 20).plan.breaks).toMatchObject([{ duration: 20, isOpen: true }]);
});

test('breaks at one offset are one break with the ads of all of them, in the order of the document', () => {
  const planned = planVmap(title, offsets('50%', 'start', '00:00:15.000', '0%', '00:00:14.000'));
  expect(placesOf(planned)).toEqual(['0: 1,3', '14: 4,0,2']);
  expect(planned.plan.breaks).toMatchObject([
    { duration: 30, isOpen: true, warnings: [naming('2', '0.0')] },
    { duration: 30, isOpen: true, warnings: [naming('3', '14.0', '15.0')] },
  ]);
});

test('an offset up to a second past the end is the end; one further past it is dropped', () => {
  const { plan, sources } = planVmap(title, offsets('00:00:31.001', '00:00:31.000'));
  expect(plan.breaks).toMatchObject([{ at: inFlicks(30), requested: inFlicks(31) }]);
  const text = naming('number 1', '31.0', '30.0');
  const late = { id: '0-2', origin: 'vmap', requested: inFlicks(31.001), code: 'PAST_THE_END', text };
  expect(plan.dropped).toEqual([late]);
  expect([...sources]).toEqual([
    ['0-1', [1]],
    ['0-2', [0]],
  ]);
});

test('only linear breaks are planned', () => {
  const banner = 'timeOffset="start" breakId="banner" breakType="display,nonlinear"';
  const { plan } = planVmap(title, breaksOf(banner, 'timeOffset="10%" breakType="linear,display"'));
  expect(plan.breaks).toMatchObject([{ at: inFlicks(2) }]);
  expect(plan.dropped).toMatchObject([{ code: 'NOT_LINEAR', requested: 0, text: naming('banner', 'display') }]);
});

test('#n is the nth marker of the content, with its limits', () => {
  const markers = [
    { at: inFlicks(4), until: inFlicks(8), source: 'EXT-X-CUE-OUT' },
    { at: inFlicks(12), duration: inFlicks(15), source: 'EXT-X-CUE-OUT' },
    { at: inFlicks(16), source: 'EXT-X-CUE-OUT' },
  ];
  const marked = titleOfAll(twoSecondAsset('marked', 10, { markers }));
  const items = [{ sourceType: 'url' as const, cuePoints: [{ spliceTime: 2 }] }];
  const named = offsets('#3', '#1', '#2', '#4');
  const { plan, sources } = planVmap(marked, named, undefined, cueOpportunities(marked, items));
  expect(plan.breaks).toMatchObject([
    { at: inFlicks(4), until: inFlicks(8), duration: 4 },
    { at: inFlicks(12), duration: 15 },
    { at: inFlicks(16), duration: 30, isOpen: true },
  ]);
  expect(plan.breaks.map(({ isOpen }) => isOpen)).toEqual([undefined, undefined, true]);
  expect(plan.dropped).toEqual([{ id: '0-4', origin: 'vmap', code: 'UNKNOWN_POSITION', text: naming('4', '3') }]);
  expect(sources.get('0-4')).toEqual([3]);
  const within = planVmap(marked, offsets('00:00:06', '#1'));
  expect(placesOf(within)).toEqual(['4: 1,0']);
  expect(within.plan.breaks).toMatchObject([{ until: inFlicks(8), duration: 4 }]);
});

test('#n is the nth cue point of content without markers', () => {
  const items = [
    { sourceType: 'url' as const, cuePoints: [{ spliceTime: 8, maxDuration: 12, maxAds: 2 }, { spliceTime: 2 }] },
    { sourceType: 'url' as const, cuePoints: [{ spliceTime: -1 }] },
  ];
  const planned = planVmap(title, offsets('#2', '#3', '#2'), undefined, cueOpportunities(title, items));
  expect(placesOf(planned)).toEqual(['8: 0,2', '30: 1']);
  expect(planned.plan.breaks).toMatchObject([{ duration: 12, maxAds: 2 }, { duration: 30 }]);
  expect(planVmap(title, offsets('#1')).plan).toMatchObject({ breaks: [], dropped: [{ code: 'UNKNOWN_POSITION' }] });
});

test('repeatAfter repeats a break until the end of the content', () => {
  const planned = planVmap(title, breaksOf('timeOffset="00:00:04" repeatAfter="00:00:08"', 'timeOffset="00:00:20"'));
  expect(placesOf(planned)).toEqual(['4: 0', '12: 0', '20: 0,1', '28: 0']);
  expect(placesOf(planVmap(title, breaksOf('timeOffset="end" repeatAfter="00:00:05"')))).toEqual(['30: 0']);
  expect(placesOf(planVmap(title, breaksOf('timeOffset="start" repeatAfter="00:00:00"')))).toEqual(['0: 0']);
});

test('repetitions that land on one position show the ads once', () => {
  const { plan, sources } = planVmap(title, breaksOf('timeOffset="start" repeatAfter="00:00:00.500"'));
  expect(plan.breaks).toHaveLength(16);
  expect([...sources.values()]).toEqual(new Array(16).fill([0]));
});

test('a document with endless breaks has a bounded plan', () => {
  const long = titleOfAll(twoSecondAsset('long', 3600));
  const list = Array.from({ length: 5000 }, () => 'timeOffset="start" repeatAfter="00:00:10"');
  const { plan, sources } = planVmap(long, breaksOf(...list));
  expect(plan.breaks).toHaveLength(MAX_BREAKS);
  expect(plan.dropped).toHaveLength(MAX_BREAKS);
  expect(sources.size).toBe(2 * MAX_BREAKS);
  expect(Math.max(...plan.breaks.map(({ warnings }) => warnings.length))).toBeLessThanOrEqual(10);
});

test('what a session keeps for #n does not grow with the cue points of its items', () => {
  const cuePoints = Array.from({ length: 500 }, (_, index) => ({ spliceTime: index / 10 }));
  const long = titleOfAll(twoSecondAsset('film', 400));
  const items = [{ sourceType: 'url' as const, cuePoints }];
  expect(cueOpportunities(long, items)).toHaveLength(26);
  expect(cueOpportunities(title, [{ sourceType: 'url' as const }])).toEqual([]);
});
