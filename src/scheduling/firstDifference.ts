// SPDX-License-Identifier: Apache-2.0
// Where a channel on air has to be left for a schedule: at the last border up to which it shows what the schedule says. What
// viewers have been shown stays, and what is planned stays as long as it can.
import type { EditionRecord, SlotRecord } from '../channels/schedule/airing.ts';
import { type Place, positionAt, type Slot, type SlotPlan, slotAt, spanAt } from '../channels/schedule/edition.ts';
import { currentAt, inForceAt, knownEnd, type LeavingOf, leaveLineup } from '../channels/schedule/leaveLineup.ts';
import type { Current, Schedule } from '../channels/schedule/nextEditions.ts';
import { placeAfter, placeAtCut, placeOfSlot } from '../channels/schedule/resume.ts';
import { defined } from '../invariant.ts';
import type { Millis } from '../time/units.ts';
import { clockAt, type Span, spanEnd, spanStart } from '../timeline/programme/span.ts';

/** A position in an edition of a lineup. */
type Cursor = { readonly index: number; readonly position: number };
type Names = Pick<EditionRecord, 'entries' | 'items'>;

/**
 * @param earliest late enough that every node has read the editions, and after every published segment
 * @returns undefined if the lineup shows what the schedule says
 */
export function firstDifference(
  lineup: readonly Current[],
  schedule: Schedule,
  earliest: Millis,
): LeavingOf | undefined {
  const index = inForceAt(lineup, earliest);
  let cursor: Cursor = { index, position: positionAt(currentAt(lineup, index).edition, earliest) };
  let isOnAir = true;
  // From what is on air, and again after each break that an operator has inserted.
  for (;;) {
    while (isInserted(lineup, cursor)) {
      cursor = following(lineup, cursor);
      isOnAir = false;
    }
    const [place, before] = placeBefore(lineup, cursor);
    const start = spanStart(spanOf(lineup, cursor));
    const { plans, scheduled } = schedule.bridge(schedule.placeOf(place, before), start);
    const names = { items: schedule.items, ...(scheduled && { entries: scheduled.entries }) };
    for (const plan of plans) {
      if (isInserted(lineup, cursor)) break;
      const difference = differenceOf(lineup, cursor, plan, shownText(schedule.record(plan), names));
      const next = following(lineup, cursor);
      if (difference === 'longer' && !isInserted(lineup, next)) return leaveBefore(lineup, next);
      if (difference === 'shorter') {
        const left = leaveWithin(lineup, cursor, plan);
        if (left.leaving.at >= earliest) return left;
      }
      if (difference === 'shorter' || difference === 'other')
        return isOnAir ? leaveLineup(lineup, earliest) : leaveBefore(lineup, cursor);
      cursor = next;
      isOnAir = false;
    }
    if (isInserted(lineup, cursor)) continue;
    const last = currentAt(lineup, lineup.length - 1).record;
    const cycleOf = (slots: readonly SlotRecord[], of: Names) => slots.map((slot) => shownText(slot, of)).join();
    const isSameCycle = cycleOf(last.slots, last) === cycleOf(schedule.plans.map(schedule.record), names);
    if (isSameCycle && cursor.index === lineup.length - 1) return undefined;
    return isOnAir ? leaveLineup(lineup, earliest) : leaveBefore(lineup, cursor);
  }
}

const spanOf = (lineup: readonly Current[], { index, position }: Cursor): Span =>
  spanAt(currentAt(lineup, index).edition, position);

const slotOf = (lineup: readonly Current[], { index, position }: Cursor): Slot =>
  slotAt(currentAt(lineup, index).edition, position);

const isInserted = (lineup: readonly Current[], cursor: Cursor): boolean =>
  slotOf(lineup, cursor).inserted !== undefined;

function following(lineup: readonly Current[], { index, position }: Cursor): Cursor {
  const { edition } = currentAt(lineup, index);
  return edition.last?.position === position ? { index: index + 1, position: 0 } : { index, position: position + 1 };
}

/** The place from which the slot at a position was laid out, in the terms of a record. */
function placeBefore(lineup: readonly Current[], cursor: Cursor): [Place, EditionRecord] {
  if (cursor.index === 0 && cursor.position === 0) {
    const slot = slotOf(lineup, cursor);
    const played = slot.break === undefined ? Number.MAX_SAFE_INTEGER : 0;
    return [{ ...placeOfSlot(slot), played }, currentAt(lineup, 0).record];
  }
  const { index, leaving } = leaveBefore(lineup, cursor);
  return [leaving.next, currentAt(lineup, index).record];
}

/** Leaves a lineup where the span at a position starts. */
function leaveBefore(lineup: readonly Current[], { index, position }: Cursor): LeavingOf {
  if (position === 0) return knownEnd(lineup, index - 1);
  const { edition } = currentAt(lineup, index);
  const span = spanAt(edition, position - 1);
  const next = placeAfter(edition, (position - 1) % edition.slots.length);
  return { index, leaving: { position: position - 1, clip: span.placed.clip, at: spanEnd(span), next } };
}

/** Leaves a lineup within a span, where a clip ends that starts with it. */
function leaveWithin(lineup: readonly Current[], cursor: Cursor, { clip }: SlotPlan): LeavingOf {
  const at = clockAt(spanOf(lineup, cursor).placed.start, clip.duration);
  const next = placeAtCut(slotOf(lineup, cursor), clip.duration);
  return { index: cursor.index, leaving: { position: cursor.position, clip, at, next } };
}

/** `longer`, `shorter`: than the content on air, with which it starts. */
function differenceOf(lineup: readonly Current[], cursor: Cursor, plan: SlotPlan, text: string) {
  const { record } = currentAt(lineup, cursor.index);
  const { clip } = spanOf(lineup, cursor).placed;
  const own = defined(record.slots[cursor.position % record.slots.length], 'a slot has a record');
  const shown: SlotRecord = own.kind === 'content' ? { ...own, to: own.from + clip.duration } : own;
  if (shownText(shown, record) === text) return 'same';
  const isContent = own.kind === 'content' && plan.break === undefined && plan.slate === undefined;
  if (!isContent || shownText({ ...own, to: own.from + plan.clip.duration }, record) !== text) return 'other';
  return plan.clip.duration > clip.duration ? 'longer' : 'shorter';
}

/** What a slot shows, whatever place its list gives it. */
function shownText(slot: SlotRecord, { entries, items }: Names): string {
  const { item = -1, at = 0, follows: _, ...shown } = slot;
  return JSON.stringify([shown, entries?.[item]?.id ?? items[item] ?? null, item < 0 ? 0 : at]);
}
