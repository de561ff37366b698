// SPDX-License-Identifier: Apache-2.0
import { afterAll, describe, expect, it } from 'vitest';
import {
  decode,
  download,
  measure,
  openConditioning,
  testLadder,
  testSource,
} from '../../../test/media/conditioning.ts';
import { creativeAsset, playableFrames, slateAsset } from '../../ads/creative/conditionedAsset.ts';
import type { ConditionedMedia, CreativeState } from '../../ads/creative/creative.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import {
  AAC_FRAME,
  audioBorder,
  maxFirstSlateFrames,
  minSlateFrames,
  videoTicks,
} from '../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';

const bench = await openConditioning();
await bench.make('five.mp4', ...testSource(5));
afterAll(() => bench.close());

const ready = (state: CreativeState): ConditionedMedia => {
  if (state.state !== 'ready') throw new Error(`must be ready; got ${JSON.stringify(state)}`);
  return state.media;
};

/** Every segment of every rendition starts and ends at the borders of the asset, and everything decodes without warnings. */
async function expectExact(asset: Asset, frames: number, ladder: Ladder): Promise<void> {
  const { sampleRate = 48_000 } = ladder.rungs.at(-1)!;
  const { frame, timescale } = videoTicks(ladder.frameRate);
  for (const rendition of asset.renditions) {
    const borders = rendition.tracks[0]!.borders;
    const measured = await measure(bench, rendition);
    expect(measured.length).toBe(borders.length - 1);
    const [isAudio, isTs] = [rendition.kind === 'audio', rendition.container === 'ts'];
    const sampleTicks = isTs ? (90_000 * frame) / timescale : frame;
    measured.forEach(([first, second], index) => {
      expect(first![0]).toBe(borders[index]);
      if (!isTs) expect(first![1]).toBe(borders[index + 1]);
      else if (!isAudio) expect(Math.abs(borders[index + 1]! - sampleTicks - first![1])).toBeLessThanOrEqual(1);
      if (second === undefined) return;
      // In a muxed segment, the audio starts within half an AAC frame of the video.
      const [video, audio] = [first![0] / rendition.timescale, second[0] / (isTs ? 90_000 : sampleRate)];
      expect(Math.abs(video - audio)).toBeLessThanOrEqual(AAC_FRAME / 2 / sampleRate + 1e-4);
    });
    const base = Math.round((asset.parts[0]!.zero / FLICKS_PER_SECOND - (isTs ? 10 : 0)) * (timescale / frame));
    const audioFrames =
      audioBorder(base + frames, ladder.frameRate, sampleRate) - audioBorder(base, ladder.frameRate, sampleRate);
    const [video, audio] = [{ video: frames }, { audio: audioFrames }];
    const expected = { video, muxed: { ...video, ...audio }, audio, text: {} }[rendition.kind];
    expect(await decode(bench, asset, rendition)).toEqual({ frames: expected, warnings: '' });
  }
}

describe('a creative', () => {
  it.each([
    ['25', { n: 25, d: 1 }, 48_000, 'fmp4', 'separate', 125],
    ['29.97', { n: 30_000, d: 1001 }, 44_100, 'fmp4', 'separate', 150],
    ['23.976', { n: 24_000, d: 1001 }, 48_000, 'ts', 'muxed', 120],
    ['50', { n: 50, d: 1 }, 44_100, 'fmp4', 'muxed', 250],
    ['25', { n: 25, d: 1 }, 44_100, 'ts', 'separate', 125],
    ['5', { n: 5, d: 1 }, 48_000, 'fmp4', 'separate', 25],
    ['10', { n: 10, d: 1 }, 44_100, 'ts', 'muxed', 50],
    ['12.5', { n: 25, d: 2 }, 48_000, 'fmp4', 'muxed', 63],
    ['14.985', { n: 15_000, d: 1001 }, 44_100, 'fmp4', 'separate', 75],
  ] as const)('is exact at %s frames per second', async (_, rate, sampleRate, container, layout, frames) => {
    const ladder = testLadder(rate, sampleRate, container, layout);
    const media = ready(await bench.condition('five.mp4', ladder));
    expect(media.frames).toBe(frames);
    const { min: least, max: most } = playableFrames(frames, rate);
    for (const length of [frames, least, most])
      await expectExact(creativeAsset(media, ladder, length, ''), length, ladder);
  });

  it('differs between lengths only in its last segment', async () => {
    const ladder = testLadder({ n: 25, d: 1 }, 48_000);
    const media = ready(await bench.condition('five.mp4', ladder));
    const videoOf = (frames: number) => creativeAsset(media, ladder, frames, '').renditions[0]!;
    const [short, long] = await Promise.all([119, 130].map((frames) => download(bench, videoOf(frames))));
    expect(long!.slice(0, -1)).toEqual(short!.slice(0, -1));
    expect(long!.at(-1)!.length).toBeGreaterThan(short!.at(-1)!.length);
  });

  it('is made once, and found by other processes', async () => {
    const ladder = testLadder({ n: 25, d: 1 }, 48_000);
    const states = await Promise.all([bench.condition('five.mp4', ladder), bench.condition('five.mp4', ladder)]);
    expect(states[0]).toEqual(states[1]);
    const another = await openConditioning({ mediaStore: bench.files });
    expect(another.library.prepare('five.mp4', bench.sourceOf('nowhere'), ladder)).toEqual(states[0]);
    expect(await another.library.settled('five.mp4', ladder)).toEqual(states[0]);
    expect(await another.library.settled('unknown', ladder)).toMatchObject({ state: 'failed' });
    await another.close();
  });
});

describe('slate', () => {
  it.each([
    ['25', { n: 25, d: 1 }, 44_100, 'fmp4', 'separate'],
    ['29.97', { n: 30_000, d: 1001 }, 48_000, 'ts', 'muxed'],
    ['5', { n: 5, d: 1 }, 48_000, 'fmp4', 'separate'],
    ['10', { n: 10, d: 1 }, 44_100, 'ts', 'muxed'],
    ['12', { n: 12, d: 1 }, 48_000, 'fmp4', 'separate'],
    ['12.5', { n: 25, d: 2 }, 48_000, 'fmp4', 'muxed'],
    ['14.985', { n: 15_000, d: 1001 }, 44_100, 'fmp4', 'separate'],
  ] as const)('fills any length exactly at %s frames per second', async (_, rate, sampleRate, container, layout) => {
    const ladder = testLadder(rate, sampleRate, container, layout);
    const media = ready(await bench.library.slate(ladder));
    const lengths = [minSlateFrames(rate), maxFirstSlateFrames(rate), maxFirstSlateFrames(rate) + 7, 21 * 25 + 3];
    for (const frames of lengths) await expectExact(slateAsset(media, ladder, frames, ''), frames, ladder);
  });

  it('of a customer may be a single picture at a low frame rate', async () => {
    await bench.make('picture.mp4', ...testSource(2), '-vf', 'trim=end_frame=1');
    const ladder = testLadder({ n: 5, d: 1 }, 48_000);
    const media = ready(await bench.library.slate(ladder, bench.sourceOf('picture.mp4')));
    await expectExact(slateAsset(media, ladder, 33, ''), 33, ladder);
  });

  it.each([
    ['ac-3', 'fmp4', 6],
    ['ec-3', 'ts', 2],
  ] as const)('is also silent in %s', async (codecs, container, channels) => {
    const plain = testLadder({ n: 25, d: 1 }, 48_000, container);
    const rungs = plain.rungs.map((rung) => (rung.kind === 'audio' ? { ...rung, codecs, channels } : rung));
    const ladder = { ...plain, rungs };
    const asset = slateAsset(ready(await bench.library.slate(ladder)), ladder, 100, '');
    const audio = await decode(bench, asset, asset.renditions.at(-1)!);
    expect(audio).toEqual({ frames: { audio: 125 }, warnings: '' });
  });

  it('of a customer loops with its own audio', async () => {
    const rate = { n: 30_000, d: 1001 };
    const ladder = testLadder(rate, 44_100);
    const media = ready(await bench.library.slate(ladder, bench.sourceOf('five.mp4')));
    expect(media.frames).toBe(45 + 3 * 30);
    const asset = slateAsset(media, ladder, 600, '');
    await expectExact(asset, 600, ladder);
    const audio = await download(bench, asset.renditions[2]!);
    expect(Math.min(...audio.slice(2).map((bytes) => bytes.length))).toBeGreaterThan(3000); // every segment has beeps
  });
});
