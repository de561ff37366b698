// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { clipsFor, plansOf } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { FLICKS_PER_SECOND, type Flicks, flicks, millis } from '../../time/units.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import type { CuePoint } from '../playlist.ts';
import { type Edition, layCycle, type SlotPlan } from './edition.ts';
import { leaveAt, restOf, resumeIndex } from './resume.ts';

const rate = { n: 25, d: 1 };
const seconds = (value: number): Flicks => flicks(value * FLICKS_PER_SECOND);
const assetWith = (frames: number[]) => syntheticAsset({ name: `asset${frames.length}`, rate, segments: frames });
const twoSeconds = assetWith(new Array(10).fill(50));
const ladder = ladderOf([twoSeconds, assetWith(new Array(7).fill(75))]);
const plan = (asset: typeof twoSeconds, ...cuePoints: CuePoint[]) =>
  plansOf([{ asset, cuePoints }], ladder, clipsFor(ladder));
const cue = (spliceTime: number, maxDuration: number): CuePoint => ({ spliceTime, maxDuration });
const edition = (slots: readonly SlotPlan[]): Edition => ({
  number: 0,
  from: millis(0),
  base: { segments: [0, 0], discontinuities: 0 },
  ...layCycle(slots),
});
/** The slots in seconds: breaks by length, content by position. */
const listed = (slots: readonly SlotPlan[]) =>
  slots.map(({ clip, at, break: isBreak }) => {
    const length = clip.duration / FLICKS_PER_SECOND;
    return isBreak ? `break of ${length}` : `${at / FLICKS_PER_SECOND} to ${at / FLICKS_PER_SECOND + length}`;
  });
const leave = (slots: readonly SlotPlan[], second: number) => leaveAt(edition(slots), millis(second * 1000));

test('content is left at its next cut point and continues from there', () => {
  const plans = plan(twoSeconds, cue(10, 5));
  const { at, next } = leave(plans, 3);
  expect(at).toBe(4000);
  expect(listed(restOf(plans, next.at, next.played))).toEqual(['4 to 10', 'break of 5', '10 to 20']);
});

test('a break plays to its end and is not repeated', () => {
  const plans = plan(twoSeconds, cue(10, 5));
  const { at, next } = leave(plans, 12);
  expect(at).toBe(15_000);
  expect(listed(restOf(plans, next.at, next.played))).toEqual(['10 to 20']);
});

test('of two breaks at one position, only the second remains after the first has played', () => {
  const plans = plan(twoSeconds, cue(10, 5), cue(10, 7));
  const { next } = leave(plans, 12);
  expect(listed(restOf(plans, next.at, next.played))).toEqual(['break of 7', '10 to 20']);
  const later = leave(plans, 16).next;
  expect(listed(restOf(plans, later.at, later.played))).toEqual(['10 to 20']);
});

test('after a post-roll the loop starts with its pre-roll', () => {
  const { next } = leave(plan(twoSeconds, cue(99, 5)), 22);
  const plans = plan(twoSeconds, cue(0, 3), cue(99, 5));
  expect(listed(restOf(plans, next.at, next.played))).toEqual(['break of 3', '0 to 20', 'break of 5']);
});

test('an asset whose cut points changed continues at one of its new cut points', () => {
  const changed = plan(assetWith(new Array(7).fill(75)));
  const rest = restOf(changed, seconds(10), 0);
  expect(listed(rest)).toEqual(['12 to 21']);
  expect(restOf(changed, seconds(21), 0)).toEqual([]);
});

test('the item on air continues in the new list; else the first that would have followed; else none', () => {
  const before = ['a', 'b', 'c', 'b'];
  expect(resumeIndex(before, ['x', 'b'], 1)).toEqual({ index: 1, isSame: true });
  expect(resumeIndex(before, ['b', 'a', 'c', 'b'], 3)).toEqual({ index: 3, isSame: true });
  expect(resumeIndex(before, ['a', 'c'], 1)).toEqual({ index: 1, isSame: false });
  expect(resumeIndex(before, ['x', 'y'], 1)).toBeUndefined();
  expect(resumeIndex([undefined, 'a'], ['a'], -1)).toBeUndefined();
});
