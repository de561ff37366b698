// SPDX-License-Identifier: Apache-2.0
// An encoder that restarts before slate is on air leaves a hole: its new stretch starts later than the timeline ends. The hole is
// filled with away slots, so that players do not lose as much of their buffer, and Periods tile (law 7).
import { FLICKS_PER_MILLI, type Millis } from '../../../time/units.ts';
import type { LiveEntry, Slot } from '../../slot.ts';
import type { AlignOptions } from '../alignOptions.ts';
import { millisBetween } from '../originDates.ts';
import { endOf, SMALL_STEP, type Tail } from '../tail.ts';
import { TARGET } from './afterAway.ts';
import { awaySlots, evenLengths } from './awayEntry.ts';

/** Target durations. After three, slate is on air. A timeline that is older was not read, because the channel had no viewers. */
const OLDEST = 5;
const REASON = 'The origin has no segments for this time.';

/**
 * Segments that were listed while nothing was read (`missed`) are filled like those that were not made: with numbers by time,
 * the two are the same.
 * @param tail absent for the first entry of a life. In that nothing is filled, nor after slate, which ends at a border of the content.
 * @param slots new content
 * @returns the slots of the entry, numbered without gaps
 */
export function fillHoles(
  tail: Tail | undefined,
  slots: readonly Slot[],
  readAt: Millis,
  { target = TARGET }: AlignOptions,
): Pick<LiveEntry, 'slots' | 'awayReason'> {
  if (tail === undefined || tail.awaySince !== undefined) return { slots };
  const age = readAt - tail.contentAt;
  if (age > OLDEST * target) return { slots };
  const added = slots.reduce((sum, { duration }) => sum + duration, 0) / FLICKS_PER_MILLI;
  // If dates jump further, the clock of the encoder has jumped, and no media are missing. Readings and segments come in steps, so
  // the time without media is known to about a target duration.
  let fillable = age - added + target;
  const all: Slot[] = [];
  let end = tail.end;
  for (const { missed, ...slot } of slots) {
    const hole = millisBetween(end, slot.start);
    // A shorter section cannot be filled.
    const isFilled = hole > SMALL_STEP && hole <= fillable;
    // What came before segments that were not read is not listed any more.
    if (missed !== undefined && !isFilled) return { slots };
    if (isFilled) {
      const number = tail.slots + all.length;
      const lengths = evenLengths(hole, target);
      all.push(...awaySlots({ start: end, lengths, number, rungs: slot.segments.length }));
      fillable -= hole;
    }
    all.push({ ...slot, number: tail.slots + all.length });
    end = endOf(slot);
  }
  return { slots: all, ...(all.length > slots.length ? { awayReason: REASON } : {}) };
}
