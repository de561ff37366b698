// SPDX-License-Identifier: Apache-2.0
// What has to be remembered of a log to continue it. It is derived from entries alone, so any node can continue after it has
// read those of the last `TAIL_MEMORY`.
import { defined, withoutUndefined } from '../../invariant.ts';
import { FLICKS_PER_MILLI, type Millis } from '../../time/units.ts';
import { after, type Instant, ofRung } from '../../timeline/programme/span.ts';
import { BY_HAND } from '../breaks/insertedFacts.ts';
import { type LiveAnchor, type LiveEntry, lengthOf, type PlacedSignal, type Slot, type SlotSegment } from '../slot.ts';
import { instantOf, millisBetween } from './originDates.ts';

/** Milliseconds of the timeline. Signals before it are not logged again; those in it are recognised. */
export const TAIL_MEMORY = 15 * 60_000;

/** Dates that differ by less, in milliseconds, continue the timeline. */
export const SMALL_STEP = 500;

/** How much a misfit decreases with each slot: the sum of durations that are rounded to a millisecond may drift by this. */
const RELAXATION = 3 * FLICKS_PER_MILLI;

export type Tail = {
  /** The numbers of the next entry and of the next slot. */
  readonly entries: number;
  readonly slots: number;
  /** When content was last read. */
  readonly readAt: Millis;
  /** When the timeline last grew by content, or would have grown: the log may have begun without any. */
  readonly contentAt: Millis;
  /** Milliseconds by which its end was ahead of the clock then. */
  readonly ahead: number;
  /** Since when the present source or slate is on air, by its writer's clock. */
  readonly onAirSince: Millis;
  /** Why slate is on air. */
  readonly awayReason?: string;
  /** The backup origin that it was read from. */
  readonly source?: string;
  readonly anchor: LiveAnchor;
  /** Where away slots began, if the newest slot is one. */
  readonly awaySince?: Instant;
  /** Where the next slot starts, unless it starts a stretch. */
  readonly end: Instant;
  /** How much later the timeline is than the origin's dates, in milliseconds; absent if it states none. */
  readonly shift?: number;
  /** By rung: how much later than `end` its last segment ends, in flicks, without what rounding may have added. */
  readonly misfits: readonly number[];
  /** The slots with content of the last `TAIL_MEMORY`, and at least the newest, unless the log began without content. */
  readonly recent: readonly Slot[];
  /** The signals of the last `TAIL_MEMORY` and of the future. */
  readonly signals: readonly PlacedSignal[];
};

/** The entries of a life, or its newest ones, in order. The first of them must have a slot. */
export const startTail = (entries: readonly LiveEntry[]): Tail | undefined =>
  entries.reduce<Tail | undefined>((tail, entry) => {
    if (tail === undefined && entry.slots.length === 0) return undefined;
    return tailAfter(tail, entry);
  }, undefined);

export function tailAfter(tail: Tail | undefined, entry: LiveEntry): Tail {
  const last = entry.slots.at(-1);
  const slots = entry.slots.filter(({ isAway }) => !isAway);
  const awaySince = last === undefined ? tail?.awaySince : awayStart(tail, entry);
  const isOrder = last === undefined && entry.signals.every(({ source }) => source === BY_HAND);
  const origin = last?.isAway || isOrder ? tail : entry;
  const isSame =
    tail !== undefined &&
    (last === undefined || (awaySince === undefined) === (tail.awaySince === undefined)) &&
    (awaySince !== undefined || isOrder || tail.source === entry.source);
  const reason = entry.awayReason ?? tail?.awayReason;
  const end = last === undefined ? (tail?.end ?? instantOf(entry.readAt)) : endOf(last);
  const isRecent = (instant: Instant): boolean => millisBetween(instant, end) <= TAIL_MEMORY;
  const known = [...(tail?.recent ?? []), ...slots];
  const first = known.findIndex((slot) => isRecent(endOf(slot)));
  const shift = slots.reduce(shiftAfter, tail?.shift);
  return {
    entries: entry.number + 1,
    slots: last === undefined ? (tail?.slots ?? 0) : last.number + 1,
    readAt: origin?.readAt ?? entry.readAt,
    anchor: entry.anchor,
    end,
    contentAt: tail === undefined || slots.length > 0 ? entry.readAt : tail.contentAt,
    ahead: aheadAfter(tail, entry, end),
    onAirSince: isSame ? tail.onAirSince : entry.readAt,
    ...withoutUndefined({ awaySince, awayReason: awaySince && reason, source: origin?.source, shift }),
    misfits: slots.reduce(misfitsAfter, tail?.misfits ?? []),
    recent: first > 0 ? known.slice(first) : known,
    signals: [...(tail?.signals ?? []), ...entry.signals].filter(({ at }) => isRecent(at)),
  };
}

function aheadAfter(tail: Tail | undefined, { anchor, readAt, slots }: LiveEntry, end: Instant): number {
  const last = slots.at(-1);
  if (last !== undefined && !last.isAway) return millisBetween(instantOf(readAt - anchor.lag), end);
  return slots[0]?.missed === undefined ? (tail?.ahead ?? 0) : 0;
}

/** Where away slots began. After time that was not read, they begin anew. */
function awayStart(tail: Tail | undefined, { slots }: LiveEntry): Instant | undefined {
  const first = slots.find(({ isAway }) => isAway);
  if (first === undefined || !slots.at(-1)?.isAway) return undefined;
  return first.missed === undefined ? (tail?.awaySince ?? first.start) : first.start;
}

/** The newest one of a rung in the log. @param tail with content */
export const newestSegment = ({ recent }: Tail, rung: number): SlotSegment =>
  defined(recent.at(-1)?.segments[rung]?.at(-1), 'a slot with content has a segment of each rung');

export const endOf = ({ start, duration }: Slot): Instant => after(start, duration);

/**
 * The shift changes where a stretch starts: if its dates do not continue those before, or if the stretch is nearer to its dates. The
 * timeline would otherwise leave them little by little (buildSlots.ts), and media times of DASH with them.
 */
export function shiftAfter(shift: number | undefined, { start, originDate, isNewStretch }: Slot): number | undefined {
  if (originDate === undefined) return shift;
  const own = millisBetween(instantOf(originDate), start);
  if (shift === undefined) return own;
  const isOther = Math.abs(own - shift) > SMALL_STEP || Math.abs(own) < Math.abs(shift);
  return isNewStretch && isOther ? own : shift;
}

export const relaxed = (misfit: number): number => Math.sign(misfit) * Math.max(0, Math.abs(misfit) - RELAXATION);

function misfitsAfter(misfits: readonly number[], { segments, isNewStretch }: Slot): readonly number[] {
  const own = lengthOf(ofRung(segments, 0));
  return segments.map((list, rung) => {
    const start = list[0]?.late ?? (isNewStretch ? 0 : (misfits[rung] ?? 0));
    return relaxed(start + lengthOf(list) - own);
  });
}
