// SPDX-License-Identifier: Apache-2.0
// The editions that follow from a change: of the list, or of what operators insert, end and cancel. The past never changes,
// and what is inserted is put on air again after an edit. A function of what is stored, so it does not matter which node
// plans, and a planner that was killed has lost nothing.
import { type Millis, millis } from '../../time/units.ts';
import { slotAt } from './edition.ts';
import {
  currentAt,
  endInserted,
  freeAt,
  inForceAt,
  insertedAt,
  insertedIn,
  knownEnd,
  type LeavingOf,
  leaveLineup,
} from './leaveLineup.ts';
import { type Current, continueAfter, type InsertedPlan, type Insertion, type Schedule } from './nextEditions.ts';

export type Wishes = {
  /** Where the lineup is left for another list. */
  readonly leave?: LeavingOf;
  /** What is inserted, in the order of their starts, without what has ended or was cancelled. */
  readonly inserted: readonly InsertedPlan[];
  /** Whether something inserted has ended or was cancelled. */
  readonly isOver: (id: string) => boolean;
  /**
   * Milliseconds: the longest segment of an ad. The segment that the end of a break cuts is replaced from its start on, and
   * every node has to have read the end by then.
   */
  readonly longestSegment: number;
};

/** What is inserted is put on air this long ahead, so that viewers' ads can be decided. */
export const INSERT_AHEAD_MS = 75_000;

/** What is on air at an instant or was before, and what is planned after it. */
function partedAt(lineup: readonly Current[], earliest: Millis) {
  const inForce = inForceAt(lineup, earliest);
  const idsOf = (part: readonly Current[]) => [...new Set(part.flatMap((one) => insertedIn(one) ?? []))];
  const started = new Set(idsOf(lineup.slice(0, inForce + 1)));
  const planned = idsOf(lineup.slice(inForce + 1)).filter((id) => !started.has(id));
  return { inForce, started, planned };
}

/** What is due within the time ahead, each after the one before it. */
function dueWithin(inserted: readonly InsertedPlan[], free: Millis, earliest: Millis): InsertedPlan[] {
  const due: InsertedPlan[] = [];
  let next: number = free;
  for (const one of inserted) {
    const start = Math.max(next, one.startsAt);
    if (start > earliest + INSERT_AHEAD_MS) break;
    due.push(one);
    next = start + one.length;
  }
  return due;
}

/** Slate is cut at the end of a segment, so only breaks have to end later. */
function endAfter(lineup: readonly Current[], id: string, earliest: Millis, longestSegment: number) {
  const { edition } = currentAt(lineup, inForceAt(lineup, earliest));
  const at = millis(slotAt(edition, 0).break === undefined ? earliest : earliest + longestSegment);
  return insertedAt(lineup, at) === id ? endInserted(lineup, at) : undefined;
}

/** Replaces what follows a point of a lineup. */
function replaced(
  lineup: readonly Current[],
  { index, leaving }: LeavingOf,
  schedule: Schedule,
  number: number,
  inserted?: Insertion,
): Current[] {
  const { edition, record } = currentAt(lineup, index);
  const last = { position: leaving.position, clip: leaving.clip };
  const next = continueAfter({ edition, record }, leaving, schedule, number, inserted);
  return [...lineup.slice(0, index), { record, edition: { ...edition, last } }, ...next];
}

/**
 * @param lineup of a life, compiled
 * @param list the one on air, or another one
 * @param earliest late enough that every node has read the editions, and after every published segment
 * @returns the new lineup; undefined if nothing changes
 */
export function replan(
  lineup: readonly Current[],
  list: Schedule,
  { leave, inserted, isOver, longestSegment }: Wishes,
  earliest: Millis,
): { readonly lineup: readonly Current[]; readonly kept: number } | undefined {
  const { started, planned, inForce } = partedAt(lineup, earliest);
  const onAir = insertedAt(lineup, earliest);
  const end = onAir !== undefined && isOver(onAir) ? endAfter(lineup, onAir, earliest, longestSegment) : undefined;
  const first = currentAt(lineup, lineup.length - 1).record.number + 1;
  let now = lineup;
  const follow = (leaving: LeavingOf, one?: Insertion) => {
    const number = Math.max(first, currentAt(now, now.length - 1).record.number + 1);
    now = replaced(now, leaving, list, number, one);
  };

  const remade =
    end === undefined
      ? remakeBlackout(
          lineup,
          inserted.find(({ id }) => id === onAir),
          earliest,
        )
      : undefined;
  const left = end ?? remade?.left;
  if (left !== undefined) follow(left, remade?.insertion);
  let due = dueWithin(
    inserted.filter(({ id }) => !started.has(id)),
    freeAt(now, left?.leaving.at ?? earliest),
    earliest,
  );
  const [one] = due;
  if (end !== undefined && one !== undefined && one.startsAt <= end.leaving.at) {
    now = lineup;
    follow(end, one);
    due = due.slice(1);
  }
  let same = 0;
  if (left === undefined && leave === undefined) {
    const isSame = (one: InsertedPlan | undefined) => one?.id === planned[same] && one && showsItsAsset(lineup, one);
    while (same < planned.length && isSame(due[same])) same += 1;
    if (same === planned.length && same === due.length) return undefined;
    if (same < planned.length) {
      const dropped = lineup.findIndex((one, index) => index > inForce && insertedIn(one) === planned[same]);
      follow(knownEnd(lineup, dropped - 1));
    }
  } else if (left === undefined && leave !== undefined) {
    const isAsPlanned = planned.every((id, index) => due[index]?.id === id);
    follow(isAsPlanned ? leave : leaveLineup(now, earliest));
    const isPlanned = (id: string) => now.some((other, index) => index > inForce && insertedIn(other) === id);
    same = due.findIndex(({ id }) => !isPlanned(id));
    if (same < 0) same = due.length;
  }
  for (const one of due.slice(same)) {
    // After those before it.
    const before = now.findLast((other, index) => index > inForce && insertedIn(other) !== undefined);
    const at = millis(Math.max(earliest, left?.leaving.at ?? 0, before?.edition.from ?? 0, one.startsAt));
    follow(leaveLineup(now, at), one);
  }
  return numbered(lineup, now, first);
}

/** New editions are numbered without gaps, so that another node that plans the same takes the same numbers. */
function numbered(before: readonly Current[], after: readonly Current[], first: number) {
  const kept = after.findIndex((one, index) => one.record !== before[index]?.record);
  const own = after.slice(kept).map(({ edition, record }, index): Current => {
    const number = first + index;
    return { edition: { ...edition, number }, record: { ...record, number } };
  });
  return { lineup: [...after.slice(0, kept), ...own], kept };
}

// A blackout whose asset becomes ready while the slate of the channel is on air: it continues with the asset from the next
// border on, and ends when it would have ended.

/** Whether all that is on the schedule of an inserted break is made of the media it should be made of. */
const showsItsAsset = (lineup: readonly Current[], { id, asset }: InsertedPlan): boolean =>
  asset === undefined || slatesOf(lineup, id).has(asset.slateId);

const slatesOf = (lineup: readonly Current[], id: string): ReadonlySet<string | undefined> =>
  new Set(lineup.flatMap((one) => (insertedIn(one) === id ? [slotAt(one.edition, 0).slate?.slateId] : [])));

/** @returns undefined if it stays as it is */
function remakeBlackout(
  lineup: readonly Current[],
  plan: InsertedPlan | undefined,
  earliest: Millis,
): { readonly left: LeavingOf; readonly insertion: Insertion } | undefined {
  if (plan?.asset === undefined || showsItsAsset(lineup, plan)) return undefined;
  const cut = endInserted(lineup, earliest);
  if (cut === undefined) return undefined;
  const { ended: _, ...leaving } = cut.leaving;
  const insertion = plan.asset.during(freeAt(lineup, earliest) - leaving.at);
  return insertion && { left: { index: cut.index, leaving }, insertion };
}
