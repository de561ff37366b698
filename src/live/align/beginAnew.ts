// SPDX-License-Identifier: Apache-2.0
// Continues a log as if nothing were known of it but its end: the newest segments of a reading follow it as a new stretch, as many as
// the clock has room for. For readings that cannot be compared with the log.
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import { after } from '../../timeline/programme/span.ts';
import type { OriginReading } from '../origin.ts';
import type { EntryFrame, LiveEntry, Slot } from '../slot.ts';
import type { AlignOptions } from './alignOptions.ts';
import { nextEntry } from './nextEntry.ts';
import { instantOf } from './originDates.ts';
import type { Tail } from './tail.ts';

const lengthOf = (slots: readonly Slot[]): number => slots.reduce((sum, { duration }) => sum + duration, 0);

/** @returns undefined if the reading adds nothing, or the clock has no room for a slot yet */
export function beginAnew(
  tail: Tail,
  reading: OriginReading,
  frame: EntryFrame,
  options: AlignOptions,
): LiveEntry | undefined {
  const entry = nextEntry(undefined, { ...reading, signals: [] }, frame, options);
  const edge = frame.readAt - tail.anchor.lag;
  const room = edge - tail.end.millis;
  const content = entry?.slots.filter(({ isAway }) => !isAway) ?? [];
  const fits = (slots: readonly Slot[]): boolean => lengthOf(slots) / FLICKS_PER_MILLI <= room;
  const from = content.findIndex((_, index) => fits(content.slice(index)));
  if (entry === undefined || from < 0) return undefined;
  const kept = content.slice(from);
  // The channel had no viewers.
  const isFar = room > options.history;
  let start = isFar ? instantOf(edge - lengthOf(kept) / FLICKS_PER_MILLI) : tail.end;
  const slots = kept.map((slot, index): Slot => {
    const placed = { ...slot, number: tail.slots + index, start, isNewStretch: index === 0 || slot.isNewStretch };
    start = after(start, slot.duration);
    return index === 0 && isFar ? { ...placed, missed: 1 } : placed;
  });
  return { ...entry, number: tail.entries, anchor: tail.anchor, slots, signals: [] };
}
