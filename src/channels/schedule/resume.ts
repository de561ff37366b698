// SPDX-License-Identifier: Apache-2.0
// An edit on air: where the edition in force ends, and where the new list continues. The past never changes. The item on air
// continues from its cut, if the new list still contains it.
import { type Flicks, flicks, type Millis } from '../../time/units.ts';
import { type Clip, cutClip, MIN_CLIP_DURATION } from '../../timeline/asset/clip.ts';
import { after, clockAt, spanEnd } from '../../timeline/programme/span.ts';
import { type Edition, type Place, partOf, positionAt, type Slot, type SlotPlan, slotAt, spanAt } from './edition.ts';

/** The end of an edition: its last span, cut to `clip`, and what would have followed. */
export type Leaving = {
  readonly position: number;
  readonly clip: Clip;
  readonly at: Millis;
  readonly next: Place;
  /** The id of the inserted break that an operator has ended there. */
  readonly ended?: string;
};

/** The first cut point inside a span at or after `earliest`. */
export function cutInside(
  edition: Edition,
  position: number,
  earliest: Millis,
): { clip: Clip; end: Flicks } | undefined {
  const { clip, start } = spanAt(edition, position).placed;
  const renditions = clip.cells.map(({ rendition }) => rendition);
  for (const point of partOf(clip).cutPoints) {
    const length = point - clip.from;
    if (Math.min(length, clip.duration - length) < MIN_CLIP_DURATION || clockAt(start, length) < earliest) continue;
    const head = cutClip(clip, renditions, flicks(point));
    const tail = cutClip({ ...clip, from: flicks(point) }, renditions, flicks(clip.from + clip.duration));
    if (head !== undefined && tail !== undefined) return { clip: head, end: flicks(point) };
  }
  return undefined;
}

/** How many breaks have played, after a slot, at the position where the next one continues. */
function playedBreaks(slots: readonly Slot[], index: number): number {
  const following = slots[index + 1];
  const isSamePlace = ({ item, at }: Slot): boolean => item === following?.item && at === following.at;
  let played = 0;
  for (let slot = slots[index]; slot?.break !== undefined && isSamePlace(slot); slot = slots[index - played]) {
    if (slot.inserted !== undefined) return played + slot.inserted.played;
    played += 1;
  }
  // Content continues after all breaks at its position.
  return played > 0 && following?.break === undefined ? Number.MAX_SAFE_INTEGER : played;
}

/** What follows a slot of an edition without successor, or one that was inserted. */
export function placeAfter({ slots, isBridge, next }: Edition, index: number): Place {
  const slot = slotAt({ slots }, index);
  if (slot.inserted !== undefined) return { ...placeOfSlot(slot), played: slot.inserted.played };
  if (isBridge && index === slots.length - 1) return next ?? { item: 0, at: flicks(0), played: 0 };
  return { ...placeOfSlot(slotAt({ slots }, index + 1)), played: playedBreaks(slots, index) };
}

export const placeOfSlot = ({ item, at, follows }: Slot): Place => ({
  item,
  at,
  played: 0,
  ...(follows === undefined ? {} : { follows }),
});

/** Where a list continues after a slot that is cut to `length`. */
export const placeAtCut = (slot: Slot, length: Flicks): Place => {
  const place = placeOfSlot(slot);
  return { ...place, at: flicks(place.at + length) };
};

/**
 * @param edition without an end; not within an inserted slot
 * @param earliest late enough that every node has read the edit, and after every published segment
 */
export function leaveAt(edition: Edition, earliest: Millis): Leaving {
  const position = positionAt(edition, earliest);
  const count = edition.slots.length;
  const slot = slotAt(edition, position);
  // A break is never cut.
  const cut = slot.break === undefined ? cutInside(edition, position, earliest) : undefined;
  if (cut !== undefined) {
    const { start } = spanAt(edition, position).placed;
    const next = placeAtCut(slot, cut.clip.duration);
    return { position, clip: cut.clip, at: clockAt(after(start, cut.clip.duration), 0), next };
  }
  const span = spanAt(edition, position);
  return {
    position,
    clip: span.placed.clip,
    at: spanEnd(span),
    next: placeAfter(edition, position % count),
  };
}

/**
 * The rest of an item's slots from a position in its asset; from the next cut point when the asset has changed since and has
 * none there.
 * @param played how many breaks at that position have played
 */
export function restOf(slots: readonly SlotPlan[], place: Flicks, played: number): SlotPlan[] {
  let skipped = 0;
  return slots.flatMap((slot): SlotPlan[] => {
    if (slot.break !== undefined) {
      if (slot.at === place && skipped < played) skipped += 1;
      else if (slot.at >= place) return [slot];
      return [];
    }
    if (slot.at >= place) return [slot];
    const { asset, cells, part, from, duration } = slot.clip;
    const cut = partOf(slot.clip).cutPoints.find((point) => point >= from + place - slot.at);
    const end = flicks(from + duration);
    if (cut === undefined || cut >= end) return [];
    const renditions = cells.map(({ rendition }) => rendition);
    const clip = cutClip({ kind: 'content', asset, part, from: flicks(cut) }, renditions, end);
    return clip === undefined ? [] : [{ ...slot, clip, at: flicks(slot.at + cut - from) }];
  });
}

/**
 * The item of the new list to continue with: the one with the same URL nearest to the old index, else the first remaining
 * item of those that would have followed, else none.
 */
export function resumeIndex(
  before: readonly (string | undefined)[],
  now: readonly (string | undefined)[],
  item: number,
): { index: number; isSame: boolean } | undefined {
  for (let steps = 0; steps < before.length; steps += 1) {
    const old = (item + steps) % before.length;
    const url = before[old];
    if (url === undefined || item < 0) continue;
    const same = now.flatMap((candidate, index) => (candidate === url ? [index] : []));
    if (same.length === 0) continue;
    const index = same.reduce((best, one) => (Math.abs(one - old) < Math.abs(best - old) ? one : best));
    return { index, isSame: steps === 0 };
  }
  return undefined;
}
