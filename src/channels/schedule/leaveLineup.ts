// SPDX-License-Identifier: Apache-2.0
// Where a lineup can be left: at a cut point of its content, at the end of a break, and where an operator ends what was
// inserted. Something inserted is otherwise played to its end.
import { defined } from '../../invariant.ts';
import type { Millis } from '../../time/units.ts';
import { after, clockAt } from '../../timeline/programme/span.ts';
import { positionAt, type Slot, slotAt, spanAt } from './edition.ts';
import type { Current } from './nextEditions.ts';
import { cutInside, type Leaving, leaveAt, placeAfter, placeAtCut } from './resume.ts';

/** The edition to leave, and how. */
export type LeavingOf = { readonly index: number; readonly leaving: Leaving };

export const inForceAt = (lineup: readonly Current[], at: Millis): number =>
  lineup.findLastIndex(({ edition }, index) => index === 0 || edition.from <= at);

export const currentAt = (lineup: readonly Current[], index: number): Current =>
  defined(lineup[index], 'a lineup has the edition that was found in it');

function playedAt({ edition }: Current, at: Millis): { position: number; slot: Slot } {
  const position = positionAt(edition, at);
  return { position, slot: slotAt(edition, position) };
}

/** The id of the inserted break that is on air at an instant. */
export const insertedAt = (lineup: readonly Current[], at: Millis): string | undefined =>
  playedAt(currentAt(lineup, inForceAt(lineup, at)), at).slot.inserted?.id;

/** The last of the editions, from an index on, that begin with an inserted break. */
function lastOf(lineup: readonly Current[], index: number, id: string): number {
  const next = lineup.findIndex((one, at) => at > index && insertedIn(one) !== id);
  return next < 0 ? lineup.length - 1 : next - 1;
}

/** The end of what is inserted at an instant. */
function afterInserted(lineup: readonly Current[], index: number, id: string): LeavingOf {
  const last = lastOf(lineup, index, id);
  const { edition } = currentAt(lineup, last);
  // The slot of the inserted break is the only one of its edition, which may be repeated, or the first one.
  if (edition.slots.length === 1) return knownEnd(lineup, last);
  const { placed } = spanAt(edition, 0);
  const ended = edition.last?.position === 0 ? currentAt(lineup, last + 1).record.after?.ended : undefined;
  const leaving = { position: 0, clip: placed.clip, at: placed.endsAt, next: placeAfter(edition, 0) };
  return { index: last, leaving: { ...leaving, ...(ended === undefined ? {} : { ended }) } };
}

/** Where an edition that is not the last one is left already. */
export function knownEnd(lineup: readonly Current[], index: number): LeavingOf {
  const { edition } = currentAt(lineup, index);
  const { position, clip } = defined(edition.last, 'an edition with a successor has an end');
  const slot = slotAt(edition, position);
  const isCut = clip.duration < slot.clip.duration && slot.inserted === undefined;
  const next = isCut ? placeAtCut(slot, clip.duration) : placeAfter(edition, position % edition.slots.length);
  const ended = currentAt(lineup, index + 1).record.after?.ended;
  const at = spanAt(edition, position).placed.endsAt;
  return { index, leaving: { position, clip, at, next, ...(ended === undefined ? {} : { ended }) } };
}

/** A position in an edition of a lineup. */
export type Cursor = { readonly index: number; readonly position: number };

/** Leaves a lineup where the span at a position ends. */
export function leaveAfter(lineup: readonly Current[], { index, position }: Cursor): LeavingOf {
  const { edition } = currentAt(lineup, index);
  if (edition.last?.position === position) return knownEnd(lineup, index);
  const { clip, endsAt: at } = spanAt(edition, position).placed;
  return { index, leaving: { position, clip, at, next: placeAfter(edition, position % edition.slots.length) } };
}

/** Leaves a lineup where the span at a position starts. */
export const leaveBefore = (lineup: readonly Current[], { index, position }: Cursor): LeavingOf =>
  position === 0 ? knownEnd(lineup, index - 1) : leaveAfter(lineup, { index, position: position - 1 });

/** Where a lineup is left at or after an instant. */
export function leaveLineup(lineup: readonly Current[], at: Millis): LeavingOf {
  const index = inForceAt(lineup, at);
  const id = playedAt(currentAt(lineup, index), at).slot.inserted?.id;
  if (id !== undefined) return afterInserted(lineup, index, id);
  const { last: _, ...edition } = currentAt(lineup, index).edition;
  return { index, leaving: leaveAt(edition, at) };
}

/** When what is inserted at an instant ends; the instant itself if nothing is. */
export function freeAt(lineup: readonly Current[], at: Millis): Millis {
  const index = inForceAt(lineup, at);
  const id = playedAt(currentAt(lineup, index), at).slot.inserted?.id;
  return id === undefined ? at : afterInserted(lineup, index, id).leaving.at;
}

/**
 * Where the inserted break that is on air at an instant is ended: at its first segment border from then on.
 * @returns undefined if it has been ended already, or ends as planned before another border
 */
export function endInserted(lineup: readonly Current[], at: Millis): LeavingOf | undefined {
  const index = inForceAt(lineup, at);
  const { edition } = currentAt(lineup, index);
  const { position, slot } = playedAt(currentAt(lineup, index), at);
  const id = slot.inserted?.id;
  if (id === undefined) return undefined;
  const last = lastOf(lineup, index, id);
  if (lineup[last + 1]?.record.after?.ended === id) return undefined;
  const next = placeAfter(edition, position % edition.slots.length);
  const cut = cutInside(edition, position, at);
  const { placed } = spanAt(edition, position);
  if (cut !== undefined) {
    const end = clockAt(after(placed.start, cut.clip.duration), 0);
    return { index, leaving: { position, clip: cut.clip, at: end, next, ended: id } };
  }
  const continues = index < last || (edition.slots.length === 1 && position < (edition.last?.position ?? 0));
  return continues
    ? { index, leaving: { position, clip: placed.clip, at: placed.endsAt, next, ended: id } }
    : undefined;
}

/** The slots of something that is inserted follow each other from the start of an edition. */
export const insertedIn = ({ edition }: Current): string | undefined => slotAt(edition, 0).inserted?.id;
