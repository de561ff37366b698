// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { clipsFor } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { naming } from '../../../test/naming.ts';
import { flicks, framesToFlicks } from '../../time/units.ts';
import type { Asset, Rendition } from '../../timeline/asset/asset.ts';
import { listedCell } from '../../timeline/asset/listedCell.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import { adClip } from './breakClips.ts';
import { adSegment, readTrackedPath, redirectTarget, sharedTrackedClip, trackedClip } from './trackedClip.ts';

const ladder = ladderOf([syntheticAsset({ name: 'f', segments: [50, 50], qualities: 2 })]);
const ad = { adId: '3-41-1', mediaId: 'mx250', frames: 250 };
const clip = clipsFor(ladder).ad(ad.mediaId, ad.frames);

test('a URL contains the ad, the rung and the segment, and nothing about the viewer', () => {
  const tracked = trackedClip(clip, ad);
  tracked.cells.forEach((_, rung) => {
    const cell = listedCell(tracked, rung);
    for (let index = cell.first; index < cell.end; index += 1) {
      const { url } = segmentUrl(cell.track, index);
      expect(readTrackedPath(url.split('/').map(decodeURIComponent))).toEqual({ ad, rung, index });
    }
    expect(cell.track.init).toEqual(clip.cells[rung]!.track.init);
  });
});

test('a media id may contain any character', () => {
  const odd = { ...ad, mediaId: 'a/b?c=ü#%2F' };
  const { url } = segmentUrl(listedCell(trackedClip(clip, odd), 0).track, 2);
  expect(readTrackedPath(url.split('/').map(decodeURIComponent))).toEqual({ ad: odd, rung: 0, index: 2 });
});

test('segments that are byte ranges keep their ranges and get separate URLs', () => {
  const [starts, lengths] = [Float64Array.of(5, 20), Float64Array.of(15, 9)];
  const urls = { kind: 'ranges' as const, url: 'https://x/all.mp4', starts, lengths };
  const ranged = { ...clip, cells: clip.cells.map((cell) => ({ ...cell, track: { ...cell.track, urls } })) };
  expect(segmentUrl(listedCell(trackedClip(ranged, ad), 0).track, 1)).toEqual({
    url: '3-41-1/mx250/250/0/1.m4s',
    range: { start: 20, length: 9 },
  });
});

test.each([
  ['1-2-0/m/25/0', 'too few parts'],
  ['1-2/m/25/0/1.m4s', 'no ad'],
  ['1-2-0//25/0/1.m4s', 'no media'],
  ['1-2-0/m/x/0/1.m4s', 'no frames'],
  ['1-2-0/m/25/-1/1.m4s', 'no rung'],
  ['1-2-0/m/25/0/1.mp4', 'another ending'],
  ['1-2-0/m/25/0/99999999999999999999.m4s', 'no number'],
])('rejects %s: %s', (path) => {
  expect(readTrackedPath(path.split('/'))).toBeUndefined();
});

test('redirects to media on this host are relative to the segment, others absolute', () => {
  const from = 'https://live.test/some/prefix/hls/c/s/1-2-0/m/25/0/1.m4s';
  for (const url of ['../../../m/x/25/v0/1.m4s', '/m/x/25/v0/1.m4s'])
    expect(new URL(redirectTarget({ url }), from).href).toBe('https://live.test/some/prefix/m/x/25/v0/1.m4s');
  expect(redirectTarget({ url: 'https://cdn.test/a.ts?b' })).toBe('https://cdn.test/a.ts?b');
});

test('a clip that is in use is shared by viewers whose ad has the same id', () => {
  const shared = sharedTrackedClip(clip, ad);
  expect(shared).toEqual(trackedClip(clip, ad));
  expect(sharedTrackedClip(clip, { ...ad })).toBe(shared);
  expect(sharedTrackedClip(clip, { ...ad, adId: '3-41-2' })).not.toBe(shared);
  expect(sharedTrackedClip({ ...clip }, ad)).not.toBe(shared);
});

const rate = { n: 25, d: 1 };
const rung: Rung = { id: 'v0', kind: 'video', codecs: 'avc1.64001f', bandwidth: 1e6, averageBandwidth: 1e6 };
const videoOnly: Ladder = { container: 'fmp4', layout: 'videoOnly', frameRate: rate, targetDuration: 3, rungs: [rung] };
const conditionedRung = { codecs: 'avc1.64001f', timescale: 25_000, bandwidth: 1000, averageBandwidth: 900 };
const conditioned: ConditionedMedia = { id: '0a1b', frames: 125, rungs: [conditionedRung] };

const rendition: Rendition = {
  id: 'theirs',
  kind: 'video',
  container: 'fmp4',
  language: 'fr',
  ...conditionedRung,
  tracks: [
    {
      borders: Float64Array.of(0, 50_000, 125_000),
      urls: { kind: 'number', prefix: 'https://ads.example/a/', suffix: '.m4s', first: 7, width: 1 },
    },
  ],
};
const duration = framesToFlicks(125, rate);
const part = { start: flicks(0), duration, zero: flicks(0), cutPoints: Float64Array.of(0, duration) };
const own: Asset = { id: 'x', url: '', duration, parts: [part], renditions: [rendition], warnings: [] };
const usedAsIs: ConditionedMedia = { id: '0c2d', frames: 125, rungs: [conditionedRung], asset: own };

test('returns URLs on this host for a conditioned ad, and its own URLs for an ad used as is', () => {
  const [conditionedClip, listedClip] = [conditioned, usedAsIs].map((media) => adClip(media, videoOnly, 125, ''));
  const urls = (clip: typeof conditionedClip, ...indexes: number[]) =>
    indexes.flatMap((index) => adSegment(clip!, 0, index)?.url ?? []);
  expect(urls(conditionedClip, 1, 2, 3, 4)).toEqual(['/m/0a1b/125/v0/1.m4s', '/m/0a1b/125/v0/2.m4s']);
  expect(urls(listedClip, 0, 1, 2)).toEqual(['https://ads.example/a/7.m4s', 'https://ads.example/a/8.m4s']);
  expect([adSegment(listedClip!, 1, 0), ...urls(listedClip, -1, 0.5)]).toEqual([undefined]);
});

test('gives the renditions of an ad used as is the ids of their rungs, and plays them whole', () => {
  const [own] = adClip(usedAsIs, videoOnly, 125, '').asset.renditions;
  expect([own!.id, own!.language]).toEqual(['v0', undefined]);
  expect(() => adClip(usedAsIs, videoOnly, 124, '')).toThrow(expect.objectContaining({ message: naming(125, 124) }));
});
