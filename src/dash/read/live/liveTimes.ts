// SPDX-License-Identifier: Apache-2.0
// Instants and lengths of live MPDs. Periods may start, and media times may count, decades after availabilityStartTime, which
// exceeds Flicks.
import {
  FLICKS_PER_MILLI,
  FLICKS_PER_SECOND,
  type Flicks,
  flicks,
  millis,
  ticksToFlicks,
} from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';

const dateTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,15}))?(Z|[+-]\d\d:?\d\d)?$/i;

/** The part of a second that these digits after the point state. */
const fraction = (digits: string): Flicks => flicks(Math.round(Number(`0.${digits || '0'}`) * FLICKS_PER_SECOND));

/** An xs:dateTime; without a time zone it is UTC (ISO/IEC 23009-1 5.3.1.2). @returns undefined for any other text */
export function readInstant(text: string): Instant | undefined {
  const match = dateTime.exec(text.trim());
  if (match === null) return undefined;
  const [, seconds, digits = '', zone = 'Z'] = match;
  const at = Date.parse(`${seconds}${zone.toUpperCase()}`);
  return Number.isNaN(at) ? undefined : after({ millis: millis(at), rest: flicks(0) }, fraction(digits));
}

const duration =
  /^P(?:0+Y)?(?:0+M)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,12})(?:\.(\d{0,15}))?S)?)?$/;

/** The instant an xs:duration of any length after another. @returns undefined if the text is not one */
export function readElapsed(text: string, since: Instant): Instant | undefined {
  const match = duration.exec(text.trim());
  if (match === null || !/\d/.test(text)) return undefined;
  const [days, hours, minutes, seconds] = match.slice(1, 5).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  const whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  return after({ millis: millis(since.millis + whole * 1000), rest: since.rest }, fraction(match[5] ?? ''));
}

/** Hundreds of years: no media time, and not within the range of instants. */
export const isBeyondReason = (ticks: bigint, timescale: number): boolean =>
  Math.abs(Number(ticks)) / timescale > 10_000_000_000;

/** The instant `ticks` after another, rounded once to a flick. @param ticks not beyond reason */
export function afterTicks(since: Instant, ticks: bigint, timescale: number): Instant {
  const scale = BigInt(timescale);
  const rest = ((ticks % scale) + scale) % scale;
  const seconds = Number((ticks - rest) / scale);
  return after(
    { millis: millis(since.millis + seconds * 1000), rest: since.rest },
    ticksToFlicks(Number(rest), timescale),
  );
}

/** Ticks from one instant to another, rounded down. */
export function ticksBetween(from: Instant, to: Instant, timescale: number): bigint {
  const scale = BigInt(timescale);
  const whole = BigInt(to.millis - from.millis) * BigInt(FLICKS_PER_MILLI) + BigInt(to.rest - from.rest);
  const product = whole * scale;
  const perSecond = BigInt(FLICKS_PER_SECOND);
  const quotient = product / perSecond;
  return product < 0n && quotient * perSecond !== product ? quotient - 1n : quotient;
}

/** How much later `to` is than `from`, in flicks: unlike Flicks, of any size. */
export const flicksBetween = (from: Instant, to: Instant): number =>
  (to.millis - from.millis) * FLICKS_PER_MILLI + (to.rest - from.rest);
