// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { clipsFor } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { flicks, framesToFlicks } from '../../time/units.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { breakClips } from './breakClips.ts';
import { fitToEnd } from './placeLiveBreak.ts';
import { isSameShown, shownFrames } from './shownFrames.ts';

const rate = { n: 25, d: 1 };
const ladder = ladderOf([syntheticAsset({ name: 'f', rate, segments: [50, 50] })]);
const clips = clipsFor(ladder);
const ad = (index: number) => ({ adId: `1-0-${index}`, mediaId: `p${index}x250`, frames: 250 });
const decision = { breakId: '1-0', startsAt: 0, joined: 0, ads: [ad(1), ad(2)] };
const framed = { ...decision, intro: { mediaId: 'ix50', frames: 50 }, outro: { mediaId: 'ox50', frames: 50 } };
const FRAMES = 750;

/** What a break of 750 frames shows that ends after `frames`, with a rounding error in flicks. */
function shownAfter(frames: number, error = 0, one: typeof decision = decision, planned = FRAMES) {
  const length = flicks(framesToFlicks(frames, rate) + error);
  const laid = breakClips(one, { id: '1-0', frames: FRAMES, slateId: 'slate' }, clips);
  const fitted = fitToEnd(laid, length, rate, (count) => clips.slate('slate', count));
  return shownFrames(one, fitted, { length, planned }, rate);
}

test('a break that ends as announced, to half a second, was shown as decided', () => {
  for (const frames of [738, 749, 750, 751, 762]) expect([frames, shownAfter(frames)]).toEqual([frames, undefined]);
  expect(shownAfter(FRAMES, 1_000_000)).toBeUndefined();
  expect(shownAfter(FRAMES, 0, framed)).toBeUndefined();
});

test('a break that ends in its slate, or later, has its length and all its ads', () => {
  for (const frames of [600, 500, 900])
    expect(shownAfter(frames)).toEqual({ rate, frames, ads: [250, 250], bumpers: 0 });
});

test('an early return cuts at a segment border; what does not start has no frames', () => {
  expect(shownAfter(395)).toEqual({ rate, frames: 395, ads: [250, 100], bumpers: 0 });
  expect(shownAfter(350)).toEqual({ rate, frames: 350, ads: [250, 100], bumpers: 0 });
  expect(shownAfter(250)).toEqual({ rate, frames: 250, ads: [250, 0], bumpers: 0 });
  expect(shownAfter(40)).toEqual({ rate, frames: 40, ads: [0, 0], bumpers: 0 });
  expect(shownAfter(395, 0, framed)).toEqual({ rate, frames: 395, ads: [250, 50], bumpers: 50 });
  expect(shownAfter(30, 0, framed)).toEqual({ rate, frames: 30, ads: [0, 0], bumpers: 0 });
});

test('compares by value', () => {
  expect(isSameShown(shownAfter(400), shownAfter(400))).toBe(true);
  expect(isSameShown(shownAfter(400), shownAfter(350))).toBe(false);
  expect(isSameShown(shownAfter(400), undefined)).toBe(false);
  expect(isSameShown(undefined, undefined)).toBe(true);
});
