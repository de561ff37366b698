// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { clipsFor } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { readTrackedPath, redirectTarget, sharedTrackedClip, trackedClip } from './trackedClip.ts';

const ladder = ladderOf([
  syntheticAsset({ name: 'f', rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: [50, 50], qualities: 2 }),
]);
const ad = { adId: '3-41-1', mediaId: 'mx250', frames: 250 };
const clip = clipsFor(ladder).ad(ad.mediaId, ad.frames);

test('a URL contains the ad, the rung and the segment, and nothing about the viewer', () => {
  const tracked = trackedClip(clip, ad);
  tracked.cells.forEach((cell, rung) => {
    for (let index = cell.first; index < cell.end; index += 1) {
      const { url } = segmentUrl(cell.track, index);
      expect(readTrackedPath(url.split('/').map(decodeURIComponent))).toEqual({ ad, rung, index });
    }
    expect(cell.track.init).toEqual(clip.cells[rung]!.track.init);
  });
});

test('a media id may contain any character', () => {
  const odd = { ...ad, mediaId: 'a/b?c=ü#%2F' };
  const { url } = segmentUrl(trackedClip(clip, odd).cells[0]!.track, 2);
  expect(readTrackedPath(url.split('/').map(decodeURIComponent))).toEqual({ ad: odd, rung: 0, index: 2 });
});

test('segments that are byte ranges keep their ranges and get separate URLs', () => {
  const urls = {
    kind: 'ranges' as const,
    url: 'https://x/all.mp4',
    starts: Float64Array.of(5, 20),
    lengths: Float64Array.of(15, 9),
  };
  const ranged = { ...clip, cells: clip.cells.map((cell) => ({ ...cell, track: { ...cell.track, urls } })) };
  expect(segmentUrl(trackedClip(ranged, ad).cells[0]!.track, 1)).toEqual({
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
  expect(new URL(redirectTarget({ url: '../../../m/x/25/v0/1.m4s' }), from).href).toBe(
    'https://live.test/some/prefix/m/x/25/v0/1.m4s',
  );
  expect(new URL(redirectTarget({ url: '/m/x/25/v0/1.m4s' }), from).href).toBe(
    'https://live.test/some/prefix/m/x/25/v0/1.m4s',
  );
  expect(redirectTarget({ url: 'https://cdn.test/a.ts?b' })).toBe('https://cdn.test/a.ts?b');
});

test('a clip that is in use is shared by viewers whose ad has the same id', () => {
  const shared = sharedTrackedClip(clip, ad);
  expect(shared).toEqual(trackedClip(clip, ad));
  expect(sharedTrackedClip(clip, { ...ad })).toBe(shared);
  expect(sharedTrackedClip(clip, { ...ad, adId: '3-41-2' })).not.toBe(shared);
  expect(sharedTrackedClip({ ...clip }, ad)).not.toBe(shared);
});
