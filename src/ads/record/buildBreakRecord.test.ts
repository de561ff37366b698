// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { adRecord, richAd, richBreak } from '../../../test/vast/richAd.ts';
import { flicks, millis } from '../../time/units.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import type { ShownFrames } from '../placement/shownFrames.ts';
import { skipped, stitched } from '../pod/adOutcome.ts';
import type { BreakRecord } from './breakRecord.ts';
import { buildBreakRecord, cutRecord, type TriedAd } from './buildBreakRecord.ts';

const place = { id: 'b', frames: 250, start: { millis: millis(0), rest: flicks(0) }, rate: { n: 25, d: 1 } };
const trackingOf = (name: string): TrackingEvent[] =>
  ['breakStart', 'breakEnd'].map((event) => ({ event, url: `https://t.test/${name}/${event}` }));
const tried = (id: string, breakTracking?: TrackingEvent[]): TriedAd => ({
  ad: { kind: 'inLine', id, creatives: [] } as unknown as InLineAd,
  duration: 5,
  ...(breakTracking ? { breakTracking } : {}),
});
const podAd = (candidate: number, frames = 50) => ({ candidate, creativeId: 'm', frames, mediaFrames: frames });

test('a stitched ad has the URL of the chosen media file', () => {
  const pod = { ads: [podAd(1)], slateFrames: 0, outcomes: [stitched, stitched] };
  const candidates = ['a', 'b'].map((id) => ({ ...tried(id), assetUrl: `https://m.test/${id}.mp4` }));
  const { ads } = buildBreakRecord(place, { tried: candidates, pod });
  expect(ads.map(({ assetUrl }) => assetUrl)).toEqual(['https://m.test/b.mp4']);
});

test('of several VMAP breaks in a response, only those with a stitched ad have tracking', () => {
  const [first, second, third] = ['first', 'second', 'third'].map(trackingOf);
  const candidates = [tried('a', first), tried('b', first), tried('c', second), tried('d', third), tried('e')];
  const shown = (...places: number[]) => {
    const pod = { ads: places.map((one) => podAd(one)), slateFrames: 0, outcomes: candidates.map(() => stitched) };
    return buildBreakRecord(place, { tried: candidates, pod }).tracking?.map(({ url }) =>
      url.replace('https://t.test/', ''),
    );
  };
  expect(shown(0, 1, 3)).toEqual(['first/breakStart', 'first/breakEnd', 'third/breakStart', 'third/breakEnd']);
  expect(shown(2)).toEqual(['second/breakStart', 'second/breakEnd']);
  expect(shown(4)).toBeUndefined();
  expect(shown()).toBeUndefined();
});

test('an inserted break is as long as what it shows, and full when no ad was skipped', () => {
  const { frames: _, ...inserted } = { ...place, start: { millis: millis(10_000), rest: flicks(0) } };
  const intro = { mediaId: 'i', frames: 25 };
  const ads = [podAd(0, 75), podAd(1)];
  const candidates = [tried('a'), tried('b')];
  const pod = { intro, ads, slateFrames: 0, outcomes: [stitched, stitched] };
  const full = buildBreakRecord(inserted, { tried: candidates, pod });
  expect(full).toMatchObject({ status: 'filled', duration: 6, slate: 0, bumpers: 1 });
  expect(full).not.toHaveProperty('reason');
  expect(full.ads.map(({ adId, startsAt }) => [adId, startsAt])).toEqual([
    ['b-1', '1970-01-01T00:00:11.000Z'],
    ['b-2', '1970-01-01T00:00:14.000Z'],
  ]);

  const skip = { code: 'WRAPPER_FAILED', text: 'The wrapper failed.' } as const;
  expect(buildBreakRecord(inserted, { tried: candidates, pod, dropped: [{ id: 'w', skip }] })).toMatchObject({
    status: 'partial',
    duration: 6,
    slate: 0,
    reason: { code: 'ADS_SKIPPED', text: naming(1, skip.text) },
  });

  const none = { ads: [], slateFrames: 0, outcomes: [skipped('NO_MEDIA_FILE', 'None.')] };
  const reason = { code: 'NO_AD_SHOWN', text: 'No ad was shown.' };
  const empty = buildBreakRecord(inserted, { tried: [tried('a')], pod: none, reason });
  expect(empty).toMatchObject({ status: 'empty', duration: 0, slate: 0, reason });
});

test('a break that shows content has no slate', () => {
  const pod = { ads: [podAd(0)], slateFrames: 200, outcomes: [stitched] };
  const parts = { tried: [tried('a')], pod };
  expect(buildBreakRecord({ ...place, showsContent: true }, parts)).toMatchObject({ slate: 0, content: 8 });
  expect(buildBreakRecord(place, parts)).toMatchObject({ slate: 8 });
  expect(buildBreakRecord(place, parts)).not.toHaveProperty('content');
});

const at = '2026-03-01T20:00:30.500Z';
const ids = ['1-2-0', '1-2-1', '1-2-2'];
const ads = ids.map((adId) => ({ adId, mediaId: 'm', frames: 250 }));
const record: BreakRecord = {
  ...richBreak('1-2', at),
  status: 'filled',
  slate: 0,
  ads: [
    ...ids.map((adId) => ({ ...adRecord(adId, at, richAd()), creative: { use: 'asIs' } as const, assetUrl: 'u' })),
    { adId: 'x', duration: 5, outcome: 'skipped', reason: { code: 'BREAK_FULL', text: 'Full.' } },
  ],
};
const ended = (frames: number, shown: number[], bumpers = 0): ShownFrames => {
  return { rate: { n: 25, d: 1 }, frames, ads: shown, bumpers };
};

test('an ad that was cut has the seconds that were shown, and ads after it are skipped', () => {
  const cut = cutRecord(record, ads, ended(316, [250, 50, 0]));
  expect(cut).toMatchObject({ duration: 12.64, slate: 0.64, status: 'partial', reason: { code: 'EARLY_RETURN' } });
  const [whole, part, left, other] = cut.ads;
  expect([whole, other]).toEqual([record.ads[0], record.ads[3]]);
  expect(part).toMatchObject({ outcome: 'stitched', duration: 10, shown: 2, startsAt: at, vast: { id: 'ad-7' } });
  expect(part!.reason).toEqual({ code: 'EARLY_RETURN', text: naming('12.64', '2') });
  expect(left).toEqual({
    adId: 'ad-7',
    title: 'Tea',
    duration: 10,
    outcome: 'skipped',
    reason: { code: 'EARLY_RETURN', text: naming('12.64') },
  });
});

test('cutting a record twice changes nothing more', () => {
  for (const shown of [ended(316, [250, 50, 0]), ended(20, [0, 0, 0]), ended(900, [250, 250, 250], 50)]) {
    const cut = cutRecord(record, ads, shown);
    expect(cutRecord(cut, ads, shown)).toEqual(cut);
    expect(cutRecord(JSON.parse(JSON.stringify(cut)), ads, shown)).toEqual(cut);
  }
});

test('a break that ended before its first ad is empty', () => {
  const cut = cutRecord({ ...record, bumpers: 2 }, ads, ended(50, [0, 0, 0]));
  expect(cut).toMatchObject({ status: 'empty', duration: 2, slate: 2, reason: { code: 'EARLY_RETURN' } });
  expect(cut).not.toHaveProperty('bumpers');
});

test('a break whose ads were all shown keeps its status; its length is the actual one', () => {
  const partial = { ...record, status: 'partial', reason: { code: 'TOO_FEW_ADS', text: '…' }, bumpers: 2 } as const;
  const cut = cutRecord(partial, ads, ended(825, [250, 250, 250], 50));
  expect(cut).toEqual({ ...partial, duration: 33, slate: 1, bumpers: 2 });
});

test('a break without ads that shows content has its actual length', () => {
  const { tracking: _, ...content } = { ...record, ads: [], slate: 0, content: 180, status: 'empty' as const };
  const cut = cutRecord(content, [], ended(500, []));
  expect(cut).toEqual({ ...content, duration: 20, content: 20 });
  // Slate fills the time from a cut ad to the border, whatever the break shows otherwise.
  expect(cutRecord({ ...record, slate: 0, content: 2 }, ads, ended(316, [250, 50, 0]))).toMatchObject({ slate: 0.64 });
});
