// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { flicks, millis } from '../../time/units.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import { skipped, stitched } from '../pod/adOutcome.ts';
import { buildBreakRecord, type TriedAd } from './buildBreakRecord.ts';

const place = { id: 'b', frames: 250, start: { millis: millis(0), rest: flicks(0) }, rate: { n: 25, d: 1 } };
const trackingOf = (name: string): TrackingEvent[] =>
  ['breakStart', 'breakEnd'].map((event) => ({ event, url: `https://t.test/${name}/${event}` }));
const tried = (id: string, breakTracking?: TrackingEvent[]): TriedAd => ({
  ad: { kind: 'inLine', id, creatives: [] } as unknown as InLineAd,
  duration: 5,
  ...(breakTracking ? { breakTracking } : {}),
});

test('a stitched ad has the URL of the chosen media file', () => {
  const pod = {
    ads: [{ candidate: 1, creativeId: 'm', frames: 50, mediaFrames: 50 }],
    slateFrames: 0,
    outcomes: [stitched, stitched],
  };
  const candidates = ['a', 'b'].map((id) => ({ ...tried(id), assetUrl: `https://m.test/${id}.mp4` }));
  const { ads } = buildBreakRecord(place, { tried: candidates, pod });
  expect(ads.map(({ assetUrl }) => assetUrl)).toEqual(['https://m.test/b.mp4']);
});

test('of several VMAP breaks in a response, only those with a stitched ad have tracking', () => {
  const [first, second, third] = ['first', 'second', 'third'].map(trackingOf);
  const candidates = [tried('a', first), tried('b', first), tried('c', second), tried('d', third), tried('e')];
  const shown = (...places: number[]) => {
    const ads = places.map((candidate) => ({ candidate, creativeId: 'm', frames: 50, mediaFrames: 50 }));
    const pod = { ads, slateFrames: 0, outcomes: candidates.map(() => stitched) };
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
  const ads = [75, 50].map((frames, candidate) => ({ candidate, creativeId: 'm', frames, mediaFrames: frames }));
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
  const pod = {
    ads: [{ candidate: 0, creativeId: 'm', frames: 50, mediaFrames: 50 }],
    slateFrames: 200,
    outcomes: [stitched],
  };
  const parts = { tried: [tried('a')], pod };
  expect(buildBreakRecord({ ...place, showsContent: true }, parts)).toMatchObject({ slate: 0, content: 8 });
  expect(buildBreakRecord(place, parts)).toMatchObject({ slate: 8 });
  expect(buildBreakRecord(place, parts)).not.toHaveProperty('content');
});
