// SPDX-License-Identifier: Apache-2.0
// The slots of what an operator inserts: a break, or the slate of a blackout, which is repeated so that a long one is small.
import { type FrameRate, flicks, flicksToMillis, framesToFlicks, type Millis } from '../../time/units.ts';
import { framesPerSecond, minSlateFrames, secondsToFrames } from '../../timeline/asset/frameGrid.ts';
import type { SlotPlan } from './edition.ts';
import type { InsertedPlan, Insertion } from './nextEditions.ts';
import type { Slate } from './planSlots.ts';

type InsertionRequest = {
  readonly id: string;
  readonly kind: 'ads' | 'blackout';
  readonly startsAt: Millis;
  /** Absent for a blackout that lasts until it is ended. */
  readonly length?: Millis;
  /** Whether the slate is the asset of a blackout. */
  readonly showsAsset?: boolean;
};

/** The length of one repetition of a blackout. */
const LOOP_SECONDS = 60;
/** A blackout without an end ends after a year. */
const OPEN_SECONDS = 366 * 86_400;

/** @param slate what a viewer sees without ads */
export function insertionOf(
  { id, kind, startsAt, length, showsAsset }: InsertionRequest,
  slate: Slate,
  rate: FrameRate,
): InsertedPlan {
  const seconds = length === undefined ? OPEN_SECONDS : length / 1000;
  const frames = Math.max(minSlateFrames(rate), secondsToFrames(seconds, rate));
  const during = (milliseconds: number): Insertion | undefined => {
    const left = secondsToFrames(milliseconds / 1000, rate);
    return left < minSlateFrames(rate) ? undefined : slotsOf({ id, kind }, left, slate, rate);
  };
  const asset = showsAsset ? { asset: { slateId: slate.id, during } } : {};
  return { ...slotsOf({ id, kind }, frames, slate, rate), startsAt, length: lengthOf(frames, rate), ...asset };
}

function slotsOf(
  { id, kind }: Pick<InsertionRequest, 'id' | 'kind'>,
  frames: number,
  slate: Slate,
  rate: FrameRate,
): Insertion {
  const loop = LOOP_SECONDS * framesPerSecond(rate);
  const times = kind === 'ads' ? 0 : Math.max(0, Math.floor((frames - minSlateFrames(rate)) / loop));
  const rest = slotOf(kind, frames - times * loop, slate);
  return times === 0 ? { id, rest } : { id, rest, loop: { plan: slotOf('blackout', loop, slate), times } };
}

/** Milliseconds of so many frames. In flicks, the length of a year is not a safe integer. */
const lengthOf = (frames: number, rate: FrameRate): number =>
  flicksToMillis(framesToFlicks(framesPerSecond(rate), rate)) * (frames / framesPerSecond(rate));

/** A slot without a place in the list, which is set when the slot is put on air. */
const slotOf = (kind: InsertionRequest['kind'], frames: number, { id, clip }: Slate): SlotPlan => ({
  clip: clip(frames),
  item: -1,
  at: flicks(0),
  ...(kind === 'ads' ? { break: { frames, slateId: id } } : { slate: { frames, slateId: id } }),
});
