// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Span } from '../../timeline/programme/span.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import { stitched } from '../pod/adOutcome.ts';
import { type BreakRecordParts, buildBreakRecord, type TriedAd } from './buildBreakRecord.ts';

const span = {
  break: { id: 'b', frames: 250 },
  placed: { start: { millis: 0, rest: 0 }, startsAt: 0 },
} as unknown as Span;
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
  const { ads } = buildBreakRecord({ span, joined: 0, rate: { n: 25, d: 1 }, tried: candidates, pod });
  expect(ads.map(({ assetUrl }) => assetUrl)).toEqual(['https://m.test/b.mp4']);
});

test('of several VMAP breaks in a response, only those with a stitched ad have tracking', () => {
  const [first, second, third] = ['first', 'second', 'third'].map(trackingOf);
  const candidates = [tried('a', first), tried('b', first), tried('c', second), tried('d', third), tried('e')];
  const shown = (...places: number[]) => {
    const ads = places.map((candidate) => ({ candidate, creativeId: 'm', frames: 50, mediaFrames: 50 }));
    const pod = { ads, slateFrames: 0, outcomes: candidates.map(() => stitched) };
    const parts: BreakRecordParts = { span, joined: 0, rate: { n: 25, d: 1 }, tried: candidates, pod };
    return buildBreakRecord(parts).tracking?.map(({ url }) => url.replace('https://t.test/', ''));
  };
  expect(shown(0, 1, 3)).toEqual(['first/breakStart', 'first/breakEnd', 'third/breakStart', 'third/breakEnd']);
  expect(shown(2)).toEqual(['second/breakStart', 'second/breakEnd']);
  expect(shown(4)).toBeUndefined();
  expect(shown()).toBeUndefined();
});
