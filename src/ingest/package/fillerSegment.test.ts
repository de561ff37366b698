// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { creativeAsset } from '../../ads/creative/conditionedAsset.ts';
import { readFragmentTimes } from '../../mp4/readFragmentTimes.ts';
import { readInit } from '../../mp4/readInit.ts';
import { readSamples } from '../../mp4/readSamples.ts';
import { readingTtml } from '../../subtitles/readTtml.ts';
import { finish } from '../../time/sliced.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { fillerSegment } from './fillerSegment.ts';
import type { PackagedMedia } from './packagedMedia.ts';

const shape = { segments: [50, 50, 30] };
const ladder = ladderOf([syntheticAsset({ ...shape, name: 'content', texts: ['en'] })]);
const FRAMES = 130;
const rungs = ladder.rungs.map(({ codecs, bandwidth }) => ({
  codecs,
  timescale: 25_000,
  bandwidth,
  averageBandwidth: 1,
}));
const conditioned = { id: 'm', frames: FRAMES, rungs: rungs.slice(0, -1) };
const common = { kind: 'creative', container: 'fmp4', frameRate: ladder.frameRate, tracks: [], rungs: [] } as const;

test.each<[string, PackagedMedia, number]>([
  ['conditioned', { ...common, media: conditioned }, FRAMES],
  ['conditioned and extended', { ...common, media: conditioned }, FRAMES + 5],
  ['as is', { ...common, media: { ...conditioned, asset: syntheticAsset({ ...shape, name: 'ad' }) } }, FRAMES],
])('%s: empty text is listed with the borders of the video', (_, packaged, frames) => {
  const asset = creativeAsset(packaged.media, ladder, frames, '');
  const [video, text] = [asset.renditions[0]!, asset.renditions.at(-1)!];
  const [{ borders }] = text.tracks as [(typeof text.tracks)[0]];
  expect(text).toMatchObject({ id: 't0', kind: 'text', timescale: video.timescale });
  expect(borders).toEqual(video.tracks[0]!.borders);
  expect(readInit(fillerSegment(packaged, frames, 'init.mp4')!.bytes)![0]!.timescale).toBe(text.timescale);
  for (let index = 0; index + 1 < borders.length; index += 1) {
    const { fragments } = readFragmentTimes(fillerSegment(packaged, frames, `${index}.m4s`)!.bytes);
    expect(fragments).toMatchObject([{ earliest: borders[index], duration: borders[index + 1]! - borders[index]! }]);
  }
  expect(fillerSegment(packaged, frames, `${borders.length - 1}.m4s`)).toBeUndefined();
  expect(fillerSegment(packaged, frames, '0.mp4')).toBeUndefined();
});

test('a rung with TTML has empty documents, with an initialization section of its own', () => {
  const rungs = ladder.rungs.map((rung) => (rung.kind === 'text' ? { ...rung, codecs: 'stpp.ttml.im1t' } : rung));
  const packaged: PackagedMedia = { ...common, media: conditioned };
  const text = creativeAsset(packaged.media, { ...ladder, rungs }, FRAMES, '').renditions.at(-1)!;
  const [track] = text.tracks as [(typeof text.tracks)[0]];
  expect(text).toMatchObject({ kind: 'text', container: 'fmp4', codecs: 'stpp.ttml.im1t' });
  const nameOf = ({ url }: { url: string }) => url.split('/').at(-1)!;
  const init = fillerSegment(packaged, FRAMES, nameOf(track.init!))!;
  expect(readInit(init.bytes)).toMatchObject([{ handler: 'subt', codec: 'stpp', timescale: text.timescale }]);
  const { borders } = track;
  for (let index = 0; index + 1 < borders.length; index += 1) {
    const { bytes, contentType } = fillerSegment(packaged, FRAMES, nameOf(segmentUrl(track, index)))!;
    expect(contentType).toBe('application/mp4');
    const duration = borders[index + 1]! - borders[index]!;
    expect(readFragmentTimes(bytes).fragments).toMatchObject([{ earliest: borders[index], duration }]);
    const samples = readSamples(bytes);
    expect(samples).toHaveLength(1);
    expect(finish(readingTtml(new TextDecoder().decode(samples[0]!.bytes)))).toEqual({ cues: [] });
  }
  expect(fillerSegment(packaged, FRAMES, `${borders.length - 1}.stpp.m4s`)).toBeUndefined();
});
