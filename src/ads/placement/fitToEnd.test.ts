// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { clipsFor } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { FLICKS_PER_SECOND, flicks, framesToFlicks } from '../../time/units.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import type { BreakClip } from './breakClips.ts';
import { fitToEnd } from './placeLiveBreak.ts';

const rate = { n: 25, d: 1 };
const ladder = ladderOf([syntheticAsset({ name: 'a', rate, segments: [50, 50] })]);
const clips = clipsFor(ladder);
const length = (frames: number) => framesToFlicks(frames, rate);

/** Two ads of 5 s with segments of 2, 2 and 1 s, and 10 s of slate. */
const planned: BreakClip[] = [
  { at: 0, clip: clips.ad('mx125', 125), ad: { adId: 'b-0', mediaId: 'mx125', frames: 125 } },
  { at: 125, clip: clips.ad('mx125', 125), ad: { adId: 'b-1', mediaId: 'mx125', frames: 125 } },
  { at: 250, clip: clips.slate('slate', 250) },
];
/** What is shown: ad or slate, its start in frames, its length in frames, and its segments. */
const fitted = (frames: number) =>
  fitToEnd(planned, length(frames), rate, (count) => clips.slate('slate', count)).map(
    ({ at, clip, ad }) =>
      `${ad?.adId ?? 'slate'} ${at} ${clip.duration / length(1)} ${clip.ends[0]! - clip.firsts[0]!}`,
  );

test('a break that ends as announced shows what was planned', () => {
  expect(fitted(500)).toEqual(['b-0 0 125 3', 'b-1 125 125 3', 'slate 250 250 10']);
});

test('an early end cuts the ad after the last segment that ends half a second before it, and fills the rest', () => {
  expect(fitted(200)).toEqual(['b-0 0 125 3', 'b-1 125 50 1', 'slate 175 25 1']);
  expect(fitted(185)).toEqual(['b-0 0 125 3', 'slate 125 60 2']);
});

test('an end within a frame of a border is that border; the last clip lasts exactly as long as the break', () => {
  expect(fitted(250.5)).toEqual(['b-0 0 125 3', 'b-1 125 125.5 3']);
});

test('a late end adds slate; less than half a second replaces the last segment', () => {
  expect(fitted(530).at(-1)).toBe('slate 500 30 1');
  expect(fitted(508).slice(-2)).toEqual(['slate 250 225 9', 'slate 475 33 1']);
});

test('announces the whole length of a clip that was cut', () => {
  const cut = fitToEnd(planned, length(200), rate, (count) => clips.slate('slate', count))[1]!;
  expect(cut.clip.whole).toBe(flicks(length(125)));
});

test('segments that end half a second before the end stay, whatever the frame rate', () => {
  for (const own of [rate, { n: 24_000, d: 1001 }, { n: 30_000, d: 1001 }, { n: 15, d: 1 }, { n: 5, d: 1 }]) {
    const media = syntheticAsset({ name: 'a', rate: own, segments: [50, 50] });
    const { slate } = clipsFor(ladderOf([media]));
    const clip = slate('slate', Math.round((20 * own.n) / own.d));
    const borders = [...clip.asset.parts[0]!.cutPoints].filter((border) => border > 0);
    for (const border of borders) {
      for (const rest of [0.5, 0.51, 0.52, 0.53, 0.6]) {
        const end = flicks(border + Math.ceil(rest * FLICKS_PER_SECOND));
        const [head, filler] = fitToEnd([{ at: 0, clip }], end, own, (frames) => slate('slate', frames));
        expect(head!.clip.duration).toBe(border);
        expect(head!.clip.duration + filler!.clip.duration).toBe(end);
      }
    }
  }
});
