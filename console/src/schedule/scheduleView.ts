// SPDX-License-Identifier: Apache-2.0
// Which time the schedule shows: rows of equal meaning, and the steps to the time before and after it.
import { defined } from '../../../src/invariant.ts';
import { addDays, fromLocalText, localDate, localText, mondayOf } from '../format/zonedTime.ts';

export type ScheduleView = 'hour' | 'day' | 'week';
export const scheduleViews = ['hour', 'day', 'week'] as const satisfies ScheduleView[];

/** Milliseconds. */
export type Row = { readonly from: number; readonly to: number };

/** All rows of a view together. */
export const spanOf = (rows: readonly Row[]): Row => ({
  from: defined(rows[0], 'a view has rows').from,
  to: defined(rows.at(-1), 'a view has rows').to,
});

const QUARTER = 900_000;
const HOUR = 3_600_000;

export const readView = (text: string): ScheduleView => scheduleViews.find((view) => view === text) ?? 'day';

/**
 * The name of a range in the address.
 * @param at milliseconds, an instant in the range
 * @returns `2026-03-01`, of an hour `2026-03-01T20:00`
 */
export function rangeName(view: ScheduleView, at: number): string {
  const text = localText(at);
  if (view === 'hour') return `${text.slice(0, 13)}:00`;
  const date = text.slice(0, 10);
  return view === 'week' ? mondayOf(date) : date;
}

/** An instant in the range of an address. @param name may be of another view, or invalid: then `now` is used */
export const instantOf = (name: string, now: number): number => fromLocalText(name) ?? now;

/** Times of equal length, the last one up to `to`. */
function rowsOf(from: number, to: number, length: number): Row[] {
  const count = Math.ceil((to - from) / length);
  return Array.from({ length: count }, (_, index) => {
    const start = from + index * length;
    return { from: start, to: Math.min(to, start + length) };
  });
}

/** Four quarters of an hour, the hours of a day, or the days of a week. A day has 23 or 25 hours when the clocks change. */
export function rowsAt(view: ScheduleView, at: number): Row[] {
  const name = rangeName(view, at);
  const midnight = (date: string) => fromLocalText(date) ?? at;
  if (view === 'day') return rowsOf(midnight(name), midnight(addDays(name, 1)), HOUR);
  if (view === 'week')
    return Array.from({ length: 7 }, (_, day) => ({
      from: midnight(addDays(name, day)),
      to: midnight(addDays(name, day + 1)),
    }));
  // Hours by the clock of the zone, also where its offset is not whole hours. The first of two that have the same name ends.
  const from = at - (Number(localText(at).slice(14, 16)) * 60_000 + (at % 60_000));
  return rowsOf(from, from + HOUR, QUARTER);
}

/** An instant in the range before or after the one that contains `at`. @param step −1 or 1 */
export function stepRange(view: ScheduleView, at: number, step: number): number {
  if (view === 'hour') return at + step * HOUR;
  const date = addDays(localDate(at), step * (view === 'week' ? 7 : 1));
  return fromLocalText(`${date}${localText(at).slice(10)}`) ?? at;
}
