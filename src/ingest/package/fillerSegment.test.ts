import { expect, test } from 'vitest';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { creativeAsset } from '../../ads/creative/conditionedAsset.ts';
import { readFragmentTimes } from '../../mp4/readFragmentTimes.ts';
import { readInit } from '../../mp4/readInit.ts';
import { ladderOf } from '../../timeline/ladderOf.ts';
import { fillerSegment } from './fillerSegment.ts';
import type { PackagedMedia } from './packagedMedia.ts';

const shape = { rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: [50, 50, 30], qualities: 1 };
const ladder = ladderOf([syntheticAsset({ ...shape, name: 'film', texts: ['en'] })]);
const FRAMES = 130;
const rungs = ladder.rungs.map(({ codecs, bandwidth }) => ({
  codecs,
  timescale: 25_000,
  bandwidth,
  averageBandwidth: 1,
}));
const made = { id: 'm', frames: FRAMES, rungs: rungs.slice(0, -1) };
const common = { kind: 'creative', container: 'fmp4', frameRate: shape.rate, tracks: [], rungs: [] } as const;

test.each<[string, PackagedMedia, number]>([
  ['made', { ...common, media: made }, FRAMES],
  ['made and held a little', { ...common, media: made }, FRAMES + 5],
  ['used as it is', { ...common, media: { ...made, asset: syntheticAsset({ ...shape, name: 'ad' }) } }, FRAMES],
])(
  'beside a creative that is %s, text that says nothing is listed and lasts as its pictures',
  (_, packaged, frames) => {
    const asset = creativeAsset(packaged.media, ladder, frames, '');
    const [pictures, text] = [asset.renditions[0]!, asset.renditions.at(-1)!];
    const [{ borders }] = text.tracks as [(typeof text.tracks)[0]];
    expect(text).toMatchObject({ id: 't0', kind: 'text', timescale: pictures.timescale });
    expect(borders).toEqual(pictures.tracks[0]!.borders);
    expect(readInit(fillerSegment(packaged, frames, 'init.mp4')!.bytes)![0]!.timescale).toBe(text.timescale);
    for (let index = 0; index + 1 < borders.length; index += 1) {
      const { fragments } = readFragmentTimes(fillerSegment(packaged, frames, `${index}.m4s`)!.bytes);
      expect(fragments).toMatchObject([{ earliest: borders[index], duration: borders[index + 1]! - borders[index]! }]);
    }
    expect(fillerSegment(packaged, frames, `${borders.length - 1}.m4s`)).toBeUndefined();
    expect(fillerSegment(packaged, frames, '0.mp4')).toBeUndefined();
  },
);
