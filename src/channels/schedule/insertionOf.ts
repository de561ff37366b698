// SPDX-License-Identifier: Apache-2.0
// The slots of what an operator inserts: a break, or the slate of a blackout, which is repeated so that a long one is small.
import { type FrameRate, flicks, flicksToMillis, framesToFlicks, type Millis } from '../../time/units.ts';
import { framesPerSecond, minSlateFrames, secondsToFrames } from '../../timeline/asset/frameGrid.ts';
import type { SlotPlan } from './edition.ts';
import type { Slate } from './planSlots.ts';
import type { InsertedPlan } from './replan.ts';

export type InsertionRequest = {
  readonly id: string;
  readonly kind: 'ads' | 'blackout';
  readonly startsAt: Millis;
  /** Absent for a blackout that lasts until it is ended. */
  readonly length?: Millis;
};

/** The length of one repetition of a blackout. */
const LOOP_SECONDS = 60;
/** A blackout without an end ends after a year. */
const OPEN_SECONDS = 366 * 86_400;

/** @param slate what a viewer sees without ads */
export function insertionOf(
  { id, kind, startsAt, length }: InsertionRequest,
  slate: Slate,
  rate: FrameRate,
): InsertedPlan {
  const seconds = length === undefined ? OPEN_SECONDS : length / 1000;
  const frames = Math.max(minSlateFrames(rate), secondsToFrames(seconds, rate));
  const loop = LOOP_SECONDS * framesPerSecond(rate);
  const times = kind === 'ads' ? 0 : Math.max(0, Math.floor((frames - minSlateFrames(rate)) / loop));
  const common = { id, startsAt, length: lengthOf(frames, rate) };
  const rest = slotOf(kind, frames - times * loop, slate);
  return times === 0
    ? { ...common, rest }
    : { ...common, rest, loop: { plan: slotOf('blackout', loop, slate), times } };
}

/** Of a year, a length in flicks is not a safe integer. */
const lengthOf = (frames: number, rate: FrameRate): number =>
  flicksToMillis(framesToFlicks(framesPerSecond(rate), rate)) * (frames / framesPerSecond(rate));

/** Its place in the list is set when it is put on air. */
const slotOf = (kind: InsertionRequest['kind'], frames: number, { id, clip }: Slate): SlotPlan => ({
  ...{ clip: clip(frames), item: -1, at: flicks(0) },
  ...(kind === 'ads' ? { break: { frames, slateId: id } } : { slate: { frames, slateId: id } }),
});
