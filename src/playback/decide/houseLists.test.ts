// SPDX-License-Identifier: Apache-2.0
// House lists in breaks: they fill them again and again, after everything else.
import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/laws/manualClock.ts';
import { syntheticMedia } from '../../../test/laws/syntheticMedia.ts';
import { libraryOf, linearChannel } from '../../../test/planning.ts';
import type { CreativeState } from '../../ads/creative/creative.ts';
import type { AdRules } from '../../channels/demand.ts';
import { houseAds } from '../../demand/house.ts';
import { defaultLadder as ladder } from '../../planning/airChannel.ts';
import { millis } from '../../time/units.ts';
import { awaitCreatives, choosePod } from './choosePod.ts';
import { createFreeAfter } from './freeAfter.ts';

const seconds = (count: number) => count * ladder.frameRate.n;
const ready: CreativeState = { state: 'ready', media: syntheticMedia('promo', seconds(10), ladder) };
const library = libraryOf(async () => ready, { prepare: () => ready, settled: async () => ready });
const clock = createManualClock(0, () => false);
const deps = { ...clock, library };
const air = { channel: linearChannel('acme'), ladder };
const adBreak = { breakFrames: seconds(30) };
const creatives = [{ url: 'https://own.test/a.mp4', title: 'a' }];
const request = { id: 'own', step: 1, session: { id: 's' }, adBreak: { id: 'b', startsAt: millis(0) } };
const outcome = { ads: houseAds({ type: 'house', creatives }, request), warnings: [], dropped: [], errors: [] };

async function shown(repeats: 'allow' | 'inPods' | 'drop' = 'inPods', adRules: AdRules = {}) {
  const channel = { ...air.channel, repeats, adRules };
  const tried = await awaitCreatives({ ...air, channel }, { outcome, closeAt: millis(0) }, deps);
  const { pod } = choosePod({ ...air, channel }, adBreak, { outcome, bumpers: {}, seen: '' }, tried).parts;
  return [pod?.ads.length, pod?.slateFrames];
}

test('a short list is shown again until the break is full', async () => {
  expect(await shown()).toEqual([3, 0]);
  expect(await shown('allow')).toEqual([3, 0]);
  expect(await shown('drop')).toEqual([1, seconds(20)]);
});

test('a list is not shown more often than the rules of the channel allow', async () => {
  const frequencyCaps = [{ per: 'creative', max: 2, hours: 1 }] as const;
  expect(await shown('inPods', { frequencyCaps })).toEqual([2, seconds(10)]);
});

test('what a list would show again is free for later steps', async () => {
  const free = createFreeAfter(air, adBreak, {}, deps);
  expect(await free(outcome.ads, undefined)).toEqual({ duration: 20 });
});
