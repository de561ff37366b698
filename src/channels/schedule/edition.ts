// SPDX-License-Identifier: Apache-2.0
// An edition: one state of a channel's schedule, in force from an instant until its successor starts, and looped in between.
// It never changes: an edit on air appends another edition. Finding what plays at an instant takes a division and a binary
// search, whatever the channel's age.

import { noMemos } from '../../cache/memo.ts';
import { defined } from '../../invariant.ts';
import { countWhile } from '../../time/search.ts';
import { FLICKS_PER_MILLI, type Flicks, flicks, type Millis, millis, repeat } from '../../time/units.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import {
  after,
  clockAt,
  type EntryBorder,
  type EntryBumpers,
  type FixedBreak,
  type Instant,
  type MovingBreak,
  type Placed,
  place,
  type Span,
  type Stretch,
} from '../../timeline/programme/span.ts';

/** Where a list continues: an item and a position in it, after `played` breaks at that position. */
export type Place = {
  /** -1 stands for the start of the list. */
  readonly item: number;
  readonly at: Flicks;
  readonly played: number;
  /** In filler of a schedule: the item that it follows. */
  readonly follows?: number;
  /** When the entry began that it is in, or follows. */
  readonly since?: Millis;
  /** In a cycle of filler, after all that was scheduled: when that began. */
  readonly cycleFrom?: Millis;
};

/** Set in a slot that an operator has inserted; its `item` and `at` state where the list continues after it. */
export type Inserted = {
  /** The id of the inserted break. */
  readonly id: string;
  /** How many breaks of the list at that place have played. */
  readonly played: number;
};

export type Slot = {
  readonly clip: Clip;
  /** Relative to the start of the cycle. */
  readonly offset: Flicks;
  /** The number of segments before it in the cycle, for each rung. */
  readonly before: readonly number[];
  /** The index of its playlist item; −1 for plain slate. */
  readonly item: number;
  /** Its position in the item's asset: the start of content, the cut point of a break. */
  readonly at: Flicks;
  readonly break?: { readonly frames: number; readonly maxAds?: number; readonly slateId: string };
  /** Set for plain slate, which plays when there is nothing else. */
  readonly slate?: { readonly frames: number; readonly slateId: string };
  readonly inserted?: Inserted;
  /** Set for filler and slate between the entries of a schedule: the item of the entry before; -1 if there is none. */
  readonly follows?: number;
  /** Set for what a live entry has shown: content of its origin, or one of its breaks. */
  readonly live?: LiveSlot;
  /** How many slots before it, itself included, continue the stretch of the slot before them in the cycle; 0 when absent. */
  readonly continued?: number;
  /** The last place, at its start or before, where an entry of a schedule has ended or started. */
  readonly border?: EntryBorder;
  /** Of a break, if its entry has its own. */
  readonly bumpers?: EntryBumpers;
};

/** `stretch`: of content. `source`: what its clip is made of, and where in the origin the next slot continues. */
export type LiveSlot = { readonly stretch?: Stretch; readonly source: unknown };

/** The counters at the start of an edition. */
export type Base = { readonly segments: readonly number[]; readonly discontinuities: number };

export type Edition = {
  /** 0, 1, 2 … in the life of the channel. */
  readonly number: number;
  readonly from: Millis;
  readonly slots: readonly Slot[];
  readonly cycle: Flicks;
  readonly perCycle: readonly number[];
  readonly base: Base;
  /** Set once there is a successor: the position of the last span and its clip, which may be cut short. */
  readonly last?: { readonly position: number; readonly clip: Clip };
  /** Whether it is played once, and the list continues with its first item. */
  readonly isBridge?: boolean;
  /** Where the schedule continues after its last slot; the list with its first item when absent. */
  readonly next?: Place;
  /** Laid out from a schedule. */
  readonly isScheduled?: true;
};

/** The editions of a channel's life on air, compiled. */
export type Lineup = {
  readonly startedAt: Millis;
  /** By ascending `from`; not empty. */
  readonly editions: readonly Edition[];
};

export type SlotPlan = Omit<Slot, 'offset' | 'before' | 'continued' | 'border' | 'bumpers'>;

export const partOf = ({ asset, part }: Pick<Clip, 'asset' | 'part'>) =>
  defined(asset.parts[part], 'a clip shows a part of its asset');

export const slotAt = ({ slots }: Pick<Edition, 'slots'>, position: number): Slot =>
  defined(slots[position % slots.length], 'an edition has slots');

const ofRung = (numbers: readonly number[], rung: number): number =>
  defined(numbers[rung], 'there is a number for each rung');

/** Whether players see two slots that follow each other as one: live content of the same stretch. */
export const continuesStretch = (before: Pick<Slot, 'live'> | undefined, next: Pick<Slot, 'live'>): boolean =>
  next.live?.stretch !== undefined && next.live.stretch.id === before?.live?.stretch?.id;

/** Assigns offsets and counters to the slots of a cycle. @param plans a channel plays slate at least */
export function layCycle(plans: readonly SlotPlan[]): Pick<Edition, 'slots' | 'cycle' | 'perCycle'> {
  const perCycle = defined(plans[0], 'a cycle has slots').clip.cells.map(() => 0);
  let [offset, continued] = [0, 0];
  const slots = plans.map((plan, index) => {
    const { clip } = plan;
    if (continuesStretch(plans[index - 1], plan)) continued += 1;
    const slot: Slot = { ...plan, offset: flicks(offset), before: [...perCycle], ...(continued > 0 && { continued }) };
    offset += clip.duration;
    clip.cells.forEach((cell, rung) => {
      perCycle[rung] = ofRung(perCycle, rung) + cell.end - cell.first;
    });
    return slot;
  });
  return { slots, cycle: flicks(offset), perCycle };
}

/** When a cycle starts. Live content is on the exact time line of its stretch, however many editions it is stored in. */
function startOfCycle({ from, cycle, slots }: Edition, cycles: number): Instant {
  const { live, clip } = slotAt({ slots }, 0);
  const { millis: elapsed, rest } = repeat(cycle, cycles);
  if (live?.stretch === undefined) return { millis: millis(from + elapsed), rest };
  const start = after(live.stretch.start, clip.from);
  return after({ millis: millis(start.millis + elapsed), rest: start.rest }, rest);
}

/** The span at a position, counted from the edition's start: position = cycles · slots + slot. */
export function spanAt(edition: Edition, position: number): Span {
  const cycles = Math.floor(position / edition.slots.length);
  const slot = slotAt(edition, position);
  const id = `${edition.number}-${position}`;
  const placed = place(
    edition.last?.position === position ? edition.last.clip : slot.clip,
    after(startOfCycle(edition, cycles), slot.offset),
  );
  const numbers = slot.before.map(
    (count, rung) => ofRung(edition.base.segments, rung) + cycles * ofRung(edition.perCycle, rung) + count,
  );
  // Live content is played once, so what is continued is in the first cycle.
  const discontinuity = edition.base.discontinuities + position - (slot.continued ?? 0);
  const more = {
    ...(slot.inserted && { insertedId: slot.inserted.id }),
    ...(slot.live?.stretch && { stretch: slot.live.stretch }),
    ...(slot.border && { border: slot.border }),
  };
  const span = { id, placed, numbers, discontinuity, memos: noMemos(), ...more };
  if (slot.break === undefined) return span;
  const bumpers = slot.bumpers && { bumpers: slot.bumpers };
  return {
    break: { id, ...slot.break, ...bumpers, ...endedEarly(id, slot, placed, { numbers, discontinuity }) },
    ...span,
  };
}

/** A break that an operator has ended keeps the length with which it was announced; its clips are fitted to its end. */
function endedEarly(
  id: string,
  slot: Slot,
  { clip, startsAt }: Placed,
  head: Pick<Span, 'numbers' | 'discontinuity'>,
): Pick<FixedBreak, 'place' | 'live'> | Pick<MovingBreak, 'place' | 'live'> {
  if (clip.duration >= slot.clip.duration) return {};
  const numbers = head.numbers.map((number, rung) => number + ofRung(clip.ends, rung) - ofRung(clip.firsts, rung));
  const end = { at: clip.duration, numbers, discontinuity: head.discontinuity + 1 };
  return {
    place: { id, startsAt, duration: slot.clip.duration },
    live: { fill: 'slate', head, junctions: [end], isClosed: true, isScheduled: true },
  };
}

/** The position of the span that plays at `time` (not before edition.from). */
export function positionAt(edition: Edition, time: Millis): number {
  const count = edition.slots.length;
  const cycleStart = (cycles: number): number => clockAt(startOfCycle(edition, cycles), 0);
  let cycles = Math.max(0, Math.floor(((time - edition.from) * FLICKS_PER_MILLI) / edition.cycle));
  while (cycles > 0 && cycleStart(cycles) > time) cycles -= 1;
  while (cycleStart(cycles + 1) <= time) cycles += 1;
  const start = startOfCycle(edition, cycles);
  const started = countWhile(count, (index) => clockAt(start, slotAt(edition, index).offset) <= time);
  return cycles * count + Math.max(0, started - 1);
}

/** The counters after the span at `position`, cut to `clip`. @param next what follows it */
export function countedAfter(edition: Edition, position: number, clip: Clip, next: SlotPlan): Base {
  const span = spanAt(edition, position);
  const isContinued = continuesStretch(slotAt(edition, position), next);
  return {
    segments: clip.cells.map((cell, rung) => ofRung(span.numbers, rung) + cell.end - cell.first),
    discontinuities: span.discontinuity + (isContinued ? 0 : 1),
  };
}
