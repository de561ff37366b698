// SPDX-License-Identifier: Apache-2.0
import { MPEG_TIMESCALE } from '../time/mpegClock.ts';
import { type Flicks, flicksToSeconds, secondsToFlicks, ticksToFlicks } from '../time/units.ts';

// Attribute lists of marker tags. Packagers write them with commas, spaces or semicolons in between, with and without
// quotes, and forget any of these, so they are read more leniently than those of the tags of RFC 8216 (§4.2).

/** A name after a separator, and a value: in quotes, or up to the next separator or quote. */
const ATTRIBUTE = /(?<=^|[\s,;"'])([A-Za-z][\w-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|["']?([^\s,;"']*))/g;

/** Names in capitals: packagers also write `Duration` and `ElapsedTime`. The last value of a repeated name is used. */
export const upperAttributes = (value: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(value.matchAll(ATTRIBUTE), ([, name = '', double, single, bare]) => [
      name.toUpperCase(),
      (double ?? single ?? bare ?? '').trim(),
    ]),
  );

// Lengths of breaks as packagers write them. No standard defines those of the CUE tags, and packagers also write units and
// times of day where HLS has seconds.

/** The longest length of a break, in seconds: a longer one is in a wrong unit, such as milliseconds. */
const MAX_SECONDS = 4 * 3600;

/** Seconds, also with a sign, a unit or an exponent. */
const SECONDS = /^\+?(\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})(e[+-]?\d)?\s*(s|secs?|seconds?|ms)?$/i;
/** `00:00:30.000`, `01:30` */
const CLOCK = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:\.\d{0,20})?)$/;
/** xs:duration without years and months. */
const DURATION = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{0,20})?)S)?)?$/i;

/** Seconds, an xs:duration such as `PT30S`, or hours, minutes and seconds. @returns undefined for anything else */
export function readLength(text: string | undefined): Flicks | undefined {
  const value = text?.trim().replace(/^["']|["']$/g, '') ?? '';
  const [, number, exponent = '', unit = ''] = SECONDS.exec(value) ?? [];
  if (number !== undefined) return ofSeconds(Number(`${number}${exponent}`) / (/^ms$/i.test(unit) ? 1000 : 1));
  const parts = CLOCK.exec(value)?.slice(1) ?? (/\d[DHMS]$/i.test(value) ? DURATION.exec(value)?.slice(1) : undefined);
  return parts && ofSeconds(secondsIn(parts));
}

/** Lengths as packagers should write them. */
const PLAIN = /^("?)(\d+(\.\d*)?|\.\d+|PT[\d.HMS]+)\1$/i;

/** @param name of what states the length, for warnings */
export function readWritten(
  name: string,
  text: string | undefined,
): { readonly length?: Flicks; readonly warnings: readonly string[] } {
  if (text === undefined) return { warnings: [] };
  const length = readLength(text);
  const rule = `${name} must be a number of seconds, at most ${MAX_SECONDS}; got ${JSON.stringify(text.slice(0, 40))}`;
  if (length === undefined) return { warnings: [rule] };
  const warnings = PLAIN.test(text.trim()) ? [] : [`${rule}, which is read as ${flicksToSeconds(length)} s`];
  return { length, warnings };
}

/** Seconds of a day, an hour, a minute and a second. */
const UNITS = [86_400, 3600, 60, 1];

/** @param parts the last one in seconds, the one before it in minutes, and so on */
const secondsIn = (parts: readonly (string | undefined)[]): number =>
  UNITS.slice(-parts.length).reduceRight((sum, unit, index) => sum + Number(parts[index] ?? 0) * unit, 0);

/** From ticks of 90 kHz. */
export const lengthOfTicks = (ticks: number): Flicks | undefined =>
  ticks > MAX_SECONDS * MPEG_TIMESCALE ? undefined : ticksToFlicks(ticks, MPEG_TIMESCALE);

export const ofSeconds = (seconds: number): Flicks | undefined =>
  seconds <= MAX_SECONDS ? secondsToFlicks(seconds) : undefined;
