// SPDX-License-Identifier: Apache-2.0
// Dates and times of day in the time zone of the console. A day has 23 or 25 hours when the clocks change.
import { tzOffset } from '@date-fns/tz/tzOffset';
import { timeZone } from './timeZone.ts';

/** The value of a `datetime-local` field: `2026-03-01T20:15`. */
export const toLocal = (time: number): string => localText(time).slice(0, 16);

/** Milliseconds. */
const offsetAt = (time: number, zone: string): number => Math.round(tzOffset(zone, new Date(time)) * 60_000);

/** `2026-03-01T20:15:04`, what a clock in the zone shows. @param time milliseconds */
export const localText = (time: number, zone = timeZone()): string =>
  new Date(time + offsetAt(time, zone)).toISOString().slice(0, 19);

/** `2026-03-01`. @param time milliseconds */
export const localDate = (time: number, zone = timeZone()): string => localText(time, zone).slice(0, 10);

const LOCAL = /^([12]\d{3}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?))?$/;

/**
 * The instant at which clocks in the zone show a text: the first one if they show it twice, the one an hour later if they
 * skip it.
 * @param text a date, or a date and a time of day
 * @returns milliseconds; undefined for an invalid text
 */
export function fromLocalText(text: string, zone = timeZone()): number | undefined {
  const [, date, time = '00:00'] = LOCAL.exec(text) ?? [];
  const wanted = date === undefined ? Number.NaN : Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}Z`);
  if (Number.isNaN(wanted) || new Date(wanted).toISOString().slice(0, 10) !== date) return undefined;
  const DAY = 86_400_000;
  // The offsets before and after any change of the clocks that day.
  const candidates = [-DAY, DAY].map((distance) => wanted - offsetAt(wanted + distance, zone));
  const exact = candidates.filter((each) => each + offsetAt(each, zone) === wanted);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

/** The date a number of days later. @param date `2026-03-01` */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The beginning of a day in the selected time zone. @param now milliseconds @param days from that of `now` */
export const midnight = (now: number, days: number): number => fromLocalText(addDays(localDate(now), days)) ?? now;

/** The Monday of the week. @param date `2026-03-01` */
export const mondayOf = (date: string): string => addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
