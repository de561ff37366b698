// SPDX-License-Identifier: Apache-2.0
// Time zones by their IANA names. When the clocks of a zone change, local times are skipped or occur twice.
import { type Millis, millis } from './units.ts';

export const DAY_MS = 86_400_000;

/** Formatters are costly to make and cheap to use. Names differ in case only, too, so their number needs a limit. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 1000;

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, made);
  return made;
}

/** @returns milliseconds that a zone is ahead of UTC; undefined if there is no such zone */
export function offsetIn(timeZone: string, at: number): number | undefined {
  try {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?/.exec(formatIn(timeZone).format(at)) ?? [];
    const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -offset : offset;
  } catch {
    return undefined;
  }
}

export const isTimeZone = (timeZone: string): boolean => offsetIn(timeZone, 0) !== undefined;

/**
 * @param local milliseconds from 1970-01-01T00:00 to a time on the clocks of the zone
 * @returns its instant: the first one of two. A time that is skipped is as long after the change as it would have been, such
 * as 03:30 for 02:30 (RFC 5545 §3.3.5)
 */
export function instantIn(timeZone: string, local: number): Millis {
  const offset = (at: number): number => offsetIn(timeZone, at) ?? 0;
  const before = local - offset(local - DAY_MS);
  const after = local - offset(local + DAY_MS);
  const exists = (at: number): boolean => at + offset(at) === local;
  return millis(exists(before) || !exists(after) ? before : after);
}
