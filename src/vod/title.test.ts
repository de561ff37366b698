// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { inParts } from '../../test/laws/syntheticPresentation.ts';
import { inFlicks, titleOfAll, twoSecondAsset } from '../../test/laws/syntheticTitle.ts';
import { naming } from '../../test/naming.ts';
import type { Asset, Protection } from '../timeline/asset/asset.ts';
import { contentBetween, makeTitle } from './title.ts';

/** Audio has a single segment, which lasts much longer than the video. */
function withLongAudio(asset: Asset): Asset {
  const renditions = asset.renditions.map((rendition) =>
    rendition.kind === 'audio'
      ? { ...rendition, tracks: [{ ...rendition.tracks[0]!, borders: Float64Array.from([0, 480_000]) }] }
      : rendition,
  );
  return { ...asset, renditions };
}

const ident = withLongAudio(twoSecondAsset('ident', 1));
const [first, last] = [twoSecondAsset('first', 5), twoSecondAsset('last', 5)];

test('items are laid end to end in source time, and each has its own clips', () => {
  const title = titleOfAll(first, last);
  expect(title.items.map(({ start }) => start)).toEqual([0, inFlicks(10)]);
  expect(title.duration).toBe(inFlicks(20));
  const clips = contentBetween(title, inFlicks(8), inFlicks(14));
  const seconds = (flicks: number) => flicks / inFlicks(1);
  const shown = clips.map(({ asset, from, duration }) => `${asset.id} ${seconds(from)} ${seconds(duration)}`);
  expect(shown).toEqual(['first 8 2', 'last 0 4']);
  expect(contentBetween(title, inFlicks(8), inFlicks(14))).toBe(clips);
  expect(contentBetween(title, inFlicks(10), inFlicks(10))).toEqual([]);
});

test('a part without a segment in every rung does not count, and markers move with the content', () => {
  const marker = (at: number) => ({ at: inFlicks(at), until: inFlicks(at + 4), source: 'EXT-X-CUE-OUT' });
  const markers = [marker(2), marker(9), marker(16)];
  const mixed = { ...[first, ident, last].reduce(inParts), markers };
  const title = titleOfAll(mixed, twoSecondAsset('next', 3));
  expect(title.items.map(({ start }) => start)).toEqual([0, inFlicks(20)]);
  const [{ asset }] = title.items as [(typeof title.items)[0]];
  expect(asset.parts.map(({ start }) => start)).toEqual([0, inFlicks(10)]);
  const moved = asset.markers!.map(({ at, until = at }) => `${at / inFlicks(1)}-${until / inFlicks(1)}`);
  expect(moved).toEqual(['2-6', '9-11', '14-18']);
  const clips = contentBetween(title, inFlicks(0), title.duration);
  expect(clips.reduce((sum, { duration }) => sum + duration, 0)).toBe(title.duration);
  expect(clips[1]!.cells[0]!.track.init!.url).toContain('/last/');
});

test('assets that do not fit the first one are named with the reason', () => {
  const keyed = (asset: Asset) => ({ key: asset.id, asset });
  const silent = { ...last, renditions: last.renditions.filter(({ kind }) => kind !== 'audio') };
  expect(makeTitle([keyed(first), keyed(silent), keyed(ident)])).toEqual({
    misfits: [
      { index: 1, reason: naming('video only', 'audio and video') },
      { index: 2, reason: naming('qualities') },
    ],
  });
  const short = syntheticAsset({ name: 's', segments: [10] });
  expect(makeTitle([keyed(first), keyed(short)])).toMatchObject({ misfits: [{ index: 1, reason: naming('0.5') }] });
});

test('items that no format can signal are misfits: together, or alone', () => {
  const secured = (asset: Asset, protection: Protection): Asset => ({
    ...asset,
    renditions: asset.renditions.map((one) => ({
      ...one,
      tracks: one.tracks.map((track) => ({ ...track, protection })),
    })),
  });
  const [inHls, inDash] = [secured(first, { hls: ['METHOD=SAMPLE-AES'] }), secured(last, { dash: ['<x/>'] })];
  const keyed = (...assets: [Asset, ...Asset[]]) =>
    makeTitle(assets.map((asset) => ({ key: asset.id, asset })) as never);
  expect(keyed(inHls, first, inDash)).toMatchObject({ misfits: [{ index: 2, reason: naming('neither in HLS') }] });
  const muxed = { ...inDash, renditions: [{ ...inDash.renditions[0]!, kind: 'muxed' as const }] };
  expect(keyed(muxed)).toMatchObject({ misfits: [{ index: 0, reason: naming('neither in HLS') }] });
});
