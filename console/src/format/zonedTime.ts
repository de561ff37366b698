// SPDX-License-Identifier: Apache-2.0
// Dates and times of day in the time zone of the console. A day has 23 or 25 hours when the clocks change.
import { timeZone } from './timeZone.ts';

/** The value of a `datetime-local` field: `2026-03-01T20:15`. */
export const toLocal = (time: number): string => localText(time).slice(0, 16);

/** @returns undefined for an invalid time, and while the year is incomplete */
export const fromLocal = (text: string): number | undefined => fromLocalText(text);

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const part = '2-digit' as const;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: part,
    day: part,
    hour: part,
    minute: part,
    second: part,
  });
  formats.set(zone, made);
  return made;
}

/** `2026-03-01T20:15:04`, what a clock in the zone shows. @param time milliseconds */
export function localText(time: number, zone = timeZone()): string {
  const parts = formatOf(zone).formatToParts(time);
  const of = (name: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === name)?.value ?? '00';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`;
}

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
  const offsetAt = (at: number) => Date.parse(`${localText(at, zone)}Z`) - Math.floor(at / 1000) * 1000;
  const DAY = 86_400_000;
  // The offsets before and after any change of the clocks that day.
  const candidates = [offsetAt(wanted - DAY), offsetAt(wanted + DAY)].map((offset) => wanted - offset);
  const exact = candidates.filter((each) => each + offsetAt(each) === wanted);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

/** The date a number of days later. @param date `2026-03-01` */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The Monday of the week. @param date `2026-03-01` */
export const mondayOf = (date: string): string => addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
