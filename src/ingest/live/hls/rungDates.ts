// SPDX-License-Identifier: Apache-2.0
// When the segments of a live media playlist start, by EXT-X-PROGRAM-DATE-TIME (RFC 8216 §4.3.2.6).
import { readInstant } from '../../../dash/read/live/liveTimes.ts';
import type { Segment } from '../../../hls/mediaPlaylist.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, flicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';

/** Segments. Their dates are read in a few milliseconds. */
const IN_SLICE = 2000;

/** A microsecond is 705.6 flicks. */
export const microsToFlicks = (micros: number): Flicks => flicks(Math.round((micros * 7056) / 10));

/** ISO 8601 as packagers write it: also with a space, a comma, and a time zone without minutes. */
export function readDate(text: string): Instant | undefined {
  const spelled = text
    .trim()
    .replace(' ', 'T')
    .replace(',', '.')
    .replace(/([+-]\d\d)$/, (zone, _hours, at: number) => (at > 10 ? `${zone}:00` : zone));
  return readInstant(spelled);
}

/**
 * The instants of the segments from index `first` on. A stated date applies to the segments after it up to the next date or
 * discontinuity, and to those before it if they have none.
 * @param earlier what an earlier reading found for a segment, by its index: its date may have left the playlist
 */
export function* rungDates(
  segments: readonly Segment[],
  first: number,
  earlier: (index: number) => Instant | undefined,
): Sliced<(Instant | undefined)[]> {
  let base: Instant | undefined;
  let micros = 0;
  const dates: (Instant | undefined)[] = [];
  const begin = baseOf(segments, first);
  for (let index = begin; index < segments.length; index += 1) {
    if (index % IN_SLICE === 0) yield;
    const { programDateTime, discontinuity, micros: length } = segments[index]!;
    const stated = programDateTime === undefined ? undefined : readDate(programDateTime);
    if (stated !== undefined || discontinuity) [base, micros] = [stated, 0];
    if (index >= first) {
      if (base === undefined) [base, micros] = [earlier(index), 0];
      dates.push(base && after(base, microsToFlicks(micros)));
    }
    micros += length;
  }
  for (let index = dates.length - 2; index >= 0; index -= 1) {
    const next = dates[index + 1];
    const { discontinuity } = segments[first + index + 1]!;
    if (dates[index] !== undefined || next === undefined || discontinuity) continue;
    dates[index] = after(next, -microsToFlicks(segments[first + index]!.micros));
  }
  return dates;
}

/** The segment whose date applies to that at `first`; `first` if there is none. */
function baseOf(segments: readonly Segment[], first: number): number {
  for (let index = first; index >= 0; index -= 1) {
    const { programDateTime, discontinuity } = segments[index] ?? {};
    if (programDateTime !== undefined && readDate(programDateTime) !== undefined) return index;
    if (discontinuity) break;
  }
  return first;
}
