// SPDX-License-Identifier: Apache-2.0
// Segments that an MPD addresses by time have no number, so each reader counts them from where it began. The numbers of a reading are
// moved to those of the log, so that all processes list a segment once.

import { FLICKS_PER_MILLI } from '../../time/units.ts';
import { ofRung } from '../feed.ts';
import type { OriginReading, OriginSegment } from '../origin.ts';
import { type Slot, type SlotSegment, segmentsOf } from '../slot.ts';
import { dateOf, instantOf, millisBetween } from './originDates.ts';
import { nameOf, type SegmentList } from './segmentLists.ts';
import { newestSegment, SMALL_STEP, type Tail } from './tail.ts';

/** An edge that is older by more slots is compared by its own numbers. */
const MOST_BEHIND = 32;

export function numberAsLogged(tail: Tail | undefined, reading: OriginReading): OriginReading {
  const known = tail?.recent[0];
  // A log that began with slate has no segment to compare with.
  if (tail === undefined || known?.segments.length !== reading.renditions.length) return reading;
  const offsets = reading.renditions.map(({ segments }, rung) => offsetOf(segments, tail, rung));
  if (offsets.every((offset) => offset === 0)) return reading;
  const moved = <Numbered extends { readonly number: number }>(list: readonly Numbered[], by: number): Numbered[] =>
    list.map((one) => ({ ...one, number: one.number + by }));
  return {
    ...reading,
    renditions: reading.renditions.map((one, rung) => ({
      ...one,
      segments: moved(one.segments, ofRung(offsets, rung)),
    })),
    // Signals have the numbers of the first rendition.
    signals: moved(reading.signals, ofRung(offsets, 0)),
  };
}

/** How much greater the numbers of the log are; 0 if no segment of it is listed. */
function offsetOf(list: SegmentList, tail: Tail, rung: number): number {
  if (newestSegment(tail, rung).mediaTime === undefined || list[0]?.mediaTime === undefined) return 0;
  for (const slot of tail.recent.slice(-MOST_BEHIND).reverse()) {
    const own = segmentsOf(slot, rung);
    for (const [index, logged] of [...own.entries()].reverse()) {
      const same = list.findLast((segment) => isSame(segment, logged, slot, index, own));
      if (same !== undefined) return logged.number - same.number;
    }
  }
  return 0;
}

function isSame(
  segment: OriginSegment,
  logged: SlotSegment,
  { originDate }: Slot,
  index: number,
  own: readonly SlotSegment[],
): boolean {
  if (segment.mediaTime !== logged.mediaTime || nameOf(segment.media) !== nameOf(logged.media)) return false;
  // An encoder that restarts may use times and names again.
  const date = dateOf(segment);
  if (date === undefined || originDate === undefined) return false;
  const before = own.slice(0, index).reduce((sum, { duration }) => sum + duration, 0) / FLICKS_PER_MILLI;
  return Math.abs(millisBetween(instantOf(originDate), date) - before) <= SMALL_STEP;
}
