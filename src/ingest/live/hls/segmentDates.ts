// SPDX-License-Identifier: Apache-2.0
// When the segments of a live media playlist start, by EXT-X-PROGRAM-DATE-TIME (RFC 8216 §4.3.2.6).
import type { Segment } from '../../../hls/mediaPlaylist.ts';
import { FLICKS_PER_MILLI, type Flicks, flicks, millis } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';

/** Milliseconds of 1970 to 9999. */
const LAST = 253_402_300_800_000;

/** @returns undefined for text that is no date */
export function readInstant(text: string): Instant | undefined {
  const at = Date.parse(text);
  if (!(at >= 0 && at < LAST)) return undefined;
  // Date.parse drops what is finer than a millisecond.
  const [, finer = ''] = /[.,]\d{3}(\d{1,9})/.exec(text) ?? [];
  const rest = finer === '' ? 0 : Math.floor(Number(`0.${finer}`) * FLICKS_PER_MILLI);
  return { millis: millis(Math.floor(at)), rest: flicks(rest) };
}

/** A microsecond is 705.6 flicks. */
export const microsToFlicks = (micros: number): Flicks => flicks(Math.round(micros * 705.6));

const lengthOf = ({ micros }: Segment): Flicks => microsToFlicks(micros);

/**
 * A segment without a date continues the one before it; those before the first date are counted back from it
 * (RFC 8216 §6.3.3). Nothing if no segment has a date.
 */
export function segmentDates(segments: readonly Segment[]): (Instant | undefined)[] {
  const dates = segments.map(({ programDateTime: text }) => (text === undefined ? undefined : readInstant(text)));
  const first = dates.findIndex((date) => date !== undefined);
  if (first < 0) return dates;
  for (let index = first - 1; index >= 0; index -= 1) {
    dates[index] = after(dates[index + 1]!, flicks(-lengthOf(segments[index]!)));
  }
  for (let index = first + 1; index < dates.length; index += 1) {
    dates[index] ??= after(dates[index - 1]!, lengthOf(segments[index - 1]!));
  }
  return dates;
}
