// SPDX-License-Identifier: Apache-2.0
// Lays out the entries of a schedule on the clock, from wherever a channel is: an entry with a start begins within a frame of it,
// what runs into it is cut, gaps are filled. The only place that knows what follows what: the planner stores its result, a dry
// run and the guide return it.
import { memo } from '../cache/memo.ts';
import type { Place, SlotPlan } from '../channels/schedule/edition.ts';
import type { Slate } from '../channels/schedule/planSlots.ts';
import { restOf } from '../channels/schedule/resume.ts';
import { defined } from '../invariant.ts';
import { countWhile, createLastUpTo } from '../time/search.ts';
import {
  FLICKS_PER_MILLI,
  FLICKS_PER_SECOND,
  type Flicks,
  type FrameRate,
  flicks,
  flicksToMillis,
  framesToFlicks,
  type Millis,
  millis,
} from '../time/units.ts';
import type { BumperUrls, Upid } from '../timeline/programme/span.ts';
import { fitted, gridOf, joined } from './fit.ts';
import { hashOf } from './hashOf.ts';

/** An entry with what it plays. Its index in the list is the `item` of its slots. */
export type PreparedEntry = {
  readonly id: string;
  readonly title?: string;
  readonly upid?: Upid;
  readonly bumpers?: BumperUrls;
  /** It begins then, whatever is on air. */
  readonly startsAt?: Millis;
  /** When it begins, by the plan. */
  readonly plannedAt: Millis;
  /** It is cut or filled to this length. Set for an entry that cannot be played, whose time is filled. */
  readonly length?: Flicks;
  /** It is cut there: the end of a loop. */
  readonly endsBy?: Millis;
  /** Empty if it cannot be played. */
  readonly slots: readonly SlotPlan[];
  /** Slate holds its place, for its `length`: what a live entry shows is put on air while it is. */
  readonly isLive?: boolean;
  /** Of a live entry that may last longer than planned: what the entries do whose start it has passed. */
  readonly overrun?: 'move' | 'join';
};

export type Filler = {
  /** The slots of each item of the filler playlist that can be played. */
  readonly items: readonly (readonly SlotPlan[])[];
  readonly slate: Slate;
};

/** What is laid out of an entry. */
export type LaidEntry = {
  readonly index: number;
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  /** `joined`: its first part is left out; `cut`: its last part. */
  readonly isJoined: boolean;
  readonly isCut: boolean;
};

export type Layout = {
  readonly slots: readonly SlotPlan[];
  readonly entries: readonly LaidEntry[];
  /** Where the schedule continues after the last slot. */
  readonly next: Place;
};

/** An entry that should have begun up to this long ago is played from its start. */
const NOT_JOINED_MS = 15_000;
/** Slate is listed in pieces of this length, so that an edit that needs to leave it does not wait. */
const SLATE_SECONDS = 600;
/** Filler that would be shorter than this when it is cut is slate instead. */
const LEAST_FILLER: Flicks = flicks(3 * FLICKS_PER_SECOND);

/** Finds entries by time: a week of clips has ten thousands of them. */
const searchOf = memo((entries: readonly PreparedEntry[]) => {
  const starts = entries.flatMap(({ startsAt }, index) => (startsAt === undefined ? [] : [{ index, startsAt }]));
  const lastStart = createLastUpTo(starts.map(({ startsAt }) => startsAt));
  const startsUpTo = (index: number): number => countWhile(starts.length, (at) => (starts[at]?.index ?? 0) <= index);
  return {
    /** The index of the last entry that is planned to begin by then. */
    plannedBy: createLastUpTo(entries.map(({ plannedAt }) => plannedAt)),
    /** The index of the last entry whose start has come by then. */
    dueBy: (at: number): number => starts[lastStart(at)]?.index ?? -1,
    /** The start of an entry, or that of the entry which it follows. */
    startBefore: (index: number): Millis | undefined => starts[startsUpTo(index) - 1]?.startsAt,
    /** The first start after an entry. */
    startAfter: (index: number): Millis | undefined => starts[startsUpTo(index)]?.startsAt,
  };
});

/** @param from the start of the layout; @param until when it has enough; what is on air then is laid out to its end */
export function layOut(
  entries: readonly PreparedEntry[],
  filler: Filler,
  rate: FrameRate,
  { from, until, place }: { readonly from: Millis; readonly until: Millis; readonly place: Place },
): Layout {
  const grid = gridOf(rate);
  const search = searchOf(entries);
  const slots: SlotPlan[] = [];
  const laid: LaidEntry[] = [];
  /** The time since `from`. */
  let time = 0;
  const since = (at: Millis): number => (at - from) * FLICKS_PER_MILLI;
  const now = (): Millis => millis(from + flicksToMillis(time));
  const isOver = (limit: number): boolean => limit - time < grid.frame / 2;
  const add = (more: readonly SlotPlan[]): void => {
    for (const slot of more) {
      slots.push(slot);
      time += slot.clip.duration;
    }
  };
  /** The frames of the next piece of slate for a length. */
  const pieceOf = (length: number): number => {
    const [left, most] = [grid.framesIn(length), grid.framesIn(SLATE_SECONDS * FLICKS_PER_SECOND)];
    return left < 2 * most ? left : most;
  };
  const limitAfter = (index: number): number => {
    const next = search.startAfter(index);
    return next === undefined ? Number.POSITIVE_INFINITY : since(next);
  };

  /** Fills the time until a limit. @param first what is left of an item of the filler that is on air */
  function fill(
    limit: number,
    follows: number,
    first?: { readonly item: number; readonly slots: readonly SlotPlan[] },
  ): void {
    const marked = (list: readonly SlotPlan[]) => list.map((slot) => ({ ...slot, follows }));
    const count = filler.items.length;
    const offset = entries.length;
    let at = first === undefined ? firstFiller(entries[follows]?.id ?? '', count) - 1 : first.item - offset;
    if (first !== undefined && !isOver(limit)) add(marked(fitted(first.slots, limit - time, grid, filler.slate).slots));
    let skipped = 0;
    while (!isOver(limit) && now() < until) {
      if (skipped >= count) {
        const frames = pieceOf(limit - time);
        if (framesToFlicks(frames, rate) < grid.least) return;
        add([slateSlot(frames, follows, filler.slate)]);
        continue;
      }
      at = (at + 1) % count;
      const item = defined(filler.items[at], 'filler is found by its index');
      const { slots: fit } = fitted(item, limit - time, grid, filler.slate);
      const length = fit.reduce((sum, { clip }) => sum + clip.duration, 0);
      if (length < LEAST_FILLER) skipped += 1;
      else {
        add(marked(fit));
        skipped = 0;
      }
    }
  }

  /** Fills the time after what an entry has played: until the next start, or up to its length. */
  function fillAfter(index: number, began: Millis | undefined, first?: Parameters<typeof fill>[2]): void {
    const [entry, following] = [entries[index], entries[index + 1]];
    // After the last entry, there is nothing but filler, wherever its length ends.
    if (following === undefined) return;
    if (following.startsAt !== undefined) fill(since(following.startsAt), index, first);
    else if (entry?.length !== undefined && began !== undefined) {
      const [ends, next] = [since(began) + entry.length, limitAfter(index)];
      fill(next - ends < grid.least ? next : ends, index, first);
    }
  }

  /** Plays an entry, and fills what is left of its time. */
  function play(index: number, list: readonly SlotPlan[], startsAt: Millis, isJoined: boolean): void {
    const { length, endsBy } = defined(entries[index], 'an entry is found by its index');
    const fixed = length === undefined ? Number.POSITIVE_INFINITY : since(startsAt) + length;
    const by = endsBy === undefined ? Number.POSITIVE_INFINITY : since(endsBy);
    const next = limitAfter(index);
    // What is left before the next start has to be long enough for slate.
    const before = (end: number): number => (next - end < grid.least ? next : end);
    const limit = Math.min(before(fixed), before(by));
    const { slots: fit, isCut } = fitted(list, limit - time, grid, filler.slate);
    add(fit);
    laid.push({ index, startsAt, endsAt: now(), isJoined, isCut });
    fillAfter(index, startsAt);
  }

  /** The last entry with a start that has come, which what is before it must not delay. */
  function dueAfter(index: number): number {
    const due = search.dueBy(from + (time + grid.frame / 2) / FLICKS_PER_MILLI);
    return due > index ? due : -1;
  }

  /** The entry that would be on air now, by the plan. */
  const plannedNow = (): number => search.plannedBy(now() + 1);

  /**
   * Whether an entry, or the one that it follows, is planned to begin later: it was moved while it was on air. In a cycle it is over,
   * unless it was moved to after the start of that.
   */
  function isLater(index: number): boolean {
    const start = search.startBefore(index);
    return start !== undefined && since(start) > since(place.cycleFrom ?? from) + grid.frame;
  }

  /** Slate in place of a live entry, from a position in it. */
  const heldFor = (index: number, at: number): SlotPlan[] => {
    const slots: SlotPlan[] = [];
    const end = entries[index]?.length ?? 0;
    for (let from = at; from < end; ) {
      const frames = pieceOf(end - from);
      if (framesToFlicks(frames, rate) < grid.least) break;
      const { follows: _, ...slot } = slateSlot(frames, index, filler.slate);
      slots.push({ ...slot, item: index, at: flicks(from) });
      from += slot.clip.duration;
    }
    return slots;
  };

  /** What an entry plays from a position on. */
  const restFrom = (index: number, at: Flicks, played: number): readonly SlotPlan[] => {
    const { isLive, slots: whole } = defined(entries[index], 'an entry is found by its index');
    return isLive ? heldFor(index, at) : restOf(whole, at, played);
  };

  /** Begins with what is left of an entry. @returns false if nothing is left */
  function join(index: number): boolean {
    const {
      plannedAt,
      slots: whole,
      isLive,
      length,
      endsBy,
    } = defined(entries[index], 'an entry is found by its index');
    const isOverAt = (limit: number | undefined) => limit !== undefined && isOver(limit);
    if (isOverAt(length && since(plannedAt) + length) || isOverAt(endsBy && since(endsBy))) return false;
    const late = now() - plannedAt;
    const isJoined = late >= NOT_JOINED_MS;
    const passed = late * FLICKS_PER_MILLI;
    const list = isLive
      ? heldFor(index, isJoined ? passed : 0)
      : isJoined
        ? joined(whole, passed, grid, filler.slate)
        : whole;
    if (list.length === 0) return false;
    play(index, list, isJoined ? plannedAt : now(), isJoined);
    return true;
  }

  const isFiller = place.item >= entries.length || place.follows !== undefined;
  const rest = filler.items[place.item - entries.length];
  const first = rest && { item: place.item, slots: restOf(rest, place.at, place.played) };
  let index = isFiller ? (place.follows ?? -1) : place.item;
  const playPlanned = (): void => {
    index = plannedNow();
    if (index < 0 || !join(index)) fillAfter(index, entries[index]?.plannedAt, first);
  };
  if (index < 0 || dueAfter(index) >= 0 || isLater(index)) playPlanned();
  else if (isFiller) {
    fillAfter(index, place.since ?? entries[index]?.plannedAt, first);
    // In a cycle, what was added after the entry and should have begun by now is joined.
    if (place.cycleFrom !== undefined && slots.length === 0 && plannedNow() > index) playPlanned();
  } else {
    const { plannedAt } = defined(entries[index], 'an entry is found by its index');
    play(index, restFrom(index, place.at, place.played), place.since ?? plannedAt, false);
  }
  while (now() < until && index + 1 < entries.length) {
    const planned = entries[index]?.overrun === 'join' ? plannedNow() : -1;
    if (planned > index) {
      index = planned;
      if (join(index)) continue;
      fillAfter(index, entries[index]?.plannedAt);
      if (index + 1 === entries.length) break;
    }
    index = Math.max(dueAfter(index), index + 1);
    play(index, restFrom(index, flicks(0), 0), now(), false);
  }
  return { slots, entries: laid, next: nextPlace(slots.at(-1), index) };
}

/** After the last slot: what follows an entry, perhaps more filler. */
const nextPlace = (last: SlotPlan | undefined, index: number): Place => ({
  item: last?.follows === undefined ? -1 : last.item,
  at: flicks(last?.follows === undefined ? 0 : Number.MAX_SAFE_INTEGER),
  played: 0,
  ...(index < 0 ? {} : { follows: index }),
});

const slateSlot = (frames: number, follows: number, { id, clip }: Slate): SlotPlan => ({
  clip: clip(frames),
  item: -1,
  at: flicks(0),
  slate: { frames, slateId: id },
  follows,
});

/** Gaps begin with different items, and all nodes choose the same. */
const firstFiller = (id: string, count: number): number => (count === 0 ? 0 : hashOf(id) % count);
