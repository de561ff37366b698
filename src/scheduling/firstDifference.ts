// SPDX-License-Identifier: Apache-2.0
// Where a channel on air has to be left for a schedule: at the last border up to which it shows what the schedule says. What
// viewers have been shown stays, and what is planned stays as long as it can.
import type { EditionRecord, SlotRecord } from '../channels/schedule/airing.ts';
import { type Place, positionAt, type Slot, type SlotPlan, slotAt, spanAt } from '../channels/schedule/edition.ts';
import {
  type Cursor,
  currentAt,
  inForceAt,
  type LeavingOf,
  leaveBefore,
  leaveLineup,
} from '../channels/schedule/leaveLineup.ts';
import type { Current, Schedule } from '../channels/schedule/nextEditions.ts';
import { placeAtCut, placeOfSlot } from '../channels/schedule/resume.ts';
import { defined } from '../invariant.ts';
import type { Millis } from '../time/units.ts';
import { clockAt, type Span, spanStart } from '../timeline/programme/span.ts';

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
  const recorded = lastRecorded(lineup, index);
  /** The end of what no schedule changes there: what is inserted, and what has been recorded with all that is before it. */
  const givenAt = (at: Cursor): Cursor | undefined =>
    isBefore(at, recorded) ? recorded : isInserted(lineup, at) ? at : undefined;
  // From what is on air, and again after each break that an operator has inserted, and after what a live entry has shown.
  for (;;) {
    const given = givenAt(cursor);
    if (given !== undefined) {
      cursor = following(lineup, given);
      isOnAir = false;
      continue;
    }
    const [place, before] = placeBefore(lineup, cursor);
    const start = spanStart(spanOf(lineup, cursor));
    const { plans, scheduled } = schedule.bridge(schedule.placeOf(place, before), start);
    const names = { items: schedule.items, ...(scheduled && { entries: scheduled.entries }) };
    for (const plan of plans) {
      if (givenAt(cursor) !== undefined) break;
      const difference = differenceOf(lineup, cursor, plan, shownText(schedule.record(plan), names));
      const next = following(lineup, cursor);
      if (difference === 'longer' && givenAt(next) === undefined) return leaveBefore(lineup, next);
      if (difference === 'shorter') {
        const left = leaveWithin(lineup, cursor, plan);
        if (left.leaving.at >= earliest) return left;
      }
      if (difference === 'shorter' || difference === 'other')
        return isOnAir ? leaveLineup(lineup, earliest) : leaveBefore(lineup, cursor);
      cursor = next;
      isOnAir = false;
    }
    if (givenAt(cursor) !== undefined) continue;
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

const isBefore = (one: Cursor, other: Cursor | undefined): boolean =>
  other !== undefined && (one.index < other.index || (one.index === other.index && one.position <= other.position));

/** The last slot of a live entry that was put on air, which is done seconds ahead. */
function lastRecorded(lineup: readonly Current[], from: number): Cursor | undefined {
  for (let index = lineup.length - 1; index >= from; index -= 1) {
    const { slots, last } = currentAt(lineup, index).edition;
    const played = last === undefined ? slots : slots.slice(0, last.position + 1);
    const position = played.findLastIndex(({ live }) => live !== undefined);
    if (position >= 0) return { index, position };
  }
  return undefined;
}

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

/** What a slot shows, whatever place its list gives it; of an entry, with what identifies it in manifests, and its bumpers. */
function shownText(slot: SlotRecord, { entries, items }: Names): string {
  const { item = -1, at = 0, follows: _, ...shown } = { follows: undefined, ...slot };
  const { id = items[item], upid, bumpers } = entries?.[item] ?? {};
  const own = slot.kind === 'break' && bumpers && [bumpers.intro, bumpers.outro];
  return JSON.stringify([shown, id ?? null, item < 0 ? 0 : at, upid && `${upid.type} ${upid.value}`, own]);
}
