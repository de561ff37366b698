// SPDX-License-Identifier: Apache-2.0
// A schedule on the clock as people read it: entries with their breaks, and what fills the time between them.
import { FLICKS_PER_MILLI, type Flicks, type Millis, millis } from '../time/units.ts';

/** A slot on the clock. */
export type TimedSlot = {
  readonly startsAt: Millis;
  /** Of its clip. */
  readonly duration: Flicks;
  readonly kind: 'content' | 'break' | 'slate';
  /** Of the entry that it belongs to. */
  readonly entryId: string | undefined;
  /** Set for what an operator has inserted. */
  readonly insertedId: string | undefined;
};

export type TimelineBreak = { readonly startsAt: Millis /** Milliseconds. */; readonly duration: number };

type What =
  | { readonly kind: 'entry'; readonly entryId: string }
  | { readonly kind: 'filler' | 'slate' }
  | { readonly kind: 'inserted'; readonly insertedId: string };

export type TimelineRow = {
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  readonly breaks: readonly TimelineBreak[];
} & What;

type Growing = What & { readonly startsAt: Millis; endsAt: Millis; readonly breaks: TimelineBreak[] };

/** Rows that follow each other without a gap, from slots in order. What is inserted within an entry divides it. */
export function createTimeline() {
  const rows: Growing[] = [];
  return {
    rows: (): readonly TimelineRow[] => rows,
    add(slot: TimedSlot): void {
      const { startsAt, duration } = slot;
      const length = duration / FLICKS_PER_MILLI;
      const endsAt = millis(Math.round(startsAt + length));
      const what = kindOf(slot);
      let last = rows.at(-1);
      if (last === undefined || !isSame(last, what)) {
        last = { ...what, startsAt, endsAt, breaks: [] };
        rows.push(last);
      }
      last.endsAt = endsAt;
      if (slot.kind === 'break' && what.kind !== 'inserted') last.breaks.push({ startsAt, duration: length });
    },
  };
}

function kindOf({ kind, entryId, insertedId }: TimedSlot): What {
  if (insertedId !== undefined) return { kind: 'inserted', insertedId };
  if (entryId !== undefined) return { kind: 'entry', entryId };
  return { kind: kind === 'slate' ? 'slate' : 'filler' };
}

const isSame = (one: What, other: What): boolean =>
  one.kind === other.kind &&
  (one.kind !== 'entry' || other.kind !== 'entry' || one.entryId === other.entryId) &&
  (one.kind !== 'inserted' || other.kind !== 'inserted' || one.insertedId === other.insertedId);
