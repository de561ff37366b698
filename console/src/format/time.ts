// SPDX-License-Identifier: Apache-2.0
// Times and durations as operators read them, in the time zone that they have selected.
import { timeZone } from './timeZone.ts';

const HOUR_MINUTE = { hour: '2-digit', minute: '2-digit' } as const;
const HOUR_MINUTE_SECOND = { ...HOUR_MINUTE, second: '2-digit' } as const;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `1:05`, `12:30`, `1:02:03`; with tenths `1:05.0`. @param seconds 0 or more */
export function formatTimecode(seconds: number, hasTenths = false): string {
  const factor = hasTenths ? 10 : 1;
  const rounded = Math.round(seconds * factor) / factor;
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor((rounded % 3600) / 60);
  const rest = rounded % 60;
  const text = hasTenths ? rest.toFixed(1).padStart(4, '0') : twoDigits(rest);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${text}` : `${minutes}:${text}`;
}

/** `25 s`, `1 min 5 s`, `2 h 4 min`. @param seconds 0 or more */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`;
}

/** `now`, `5 s ago`, `in 2 min`. @param difference milliseconds from now, negative for the past */
export function formatRelativeTime(difference: number): string {
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (seconds < 2) return 'now';
  const amount =
    seconds < 90
      ? `${seconds} s`
      : seconds < 5400
        ? `${Math.round(seconds / 60)} min`
        : seconds < 129_600
          ? `${Math.round(seconds / 3600)} h`
          : `${Math.round(seconds / 86_400)} d`;
  return difference < 0 ? `${amount} ago` : `in ${amount}`;
}

type Options = Intl.DateTimeFormatOptions;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Formatters are costly to make and cheap to use. */
function formatIn(zone: string, options: Options): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
  formats.set(key, made);
  return made;
}
const format = (time: string | number, options: Options): string =>
  formatIn(timeZone(), options).format(new Date(time));

/** `20:15:04`. @param time ISO 8601 or milliseconds */
export const formatTimeOfDay = (time: string | number): string => format(time, HOUR_MINUTE_SECOND);

/** `20:15`. @param time ISO 8601 or milliseconds */
export const formatHourMinute = (time: string | number): string => format(time, HOUR_MINUTE);

/** `Sun 1 Mar`. @param time ISO 8601 or milliseconds */
export const formatDay = (time: string | number): string =>
  format(time, { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '');

/** `1 Mar 2026, 20:15`. @param time ISO 8601 or milliseconds */
export const formatDateTime = (time: string | number): string =>
  format(time, { dateStyle: 'medium', timeStyle: 'short' });

/** `1 Mar 2026, 20:15:04`. @param time ISO 8601 or milliseconds */
export const formatDateTimeSeconds = (time: string | number): string =>
  format(time, { dateStyle: 'medium', timeStyle: 'medium' });

/** The label of a mark on a time axis: `20:15`, or `20:15:30` between full minutes. @param time milliseconds */
export const formatMark = (time: number): string =>
  time % 60_000 === 0 ? formatHourMinute(time) : formatTimeOfDay(time);

/** The label of a tick in a chart: `20:15`, and the date at midnight. @param time milliseconds */
export function formatTick(time: number): string {
  const text = formatHourMinute(time);
  return text === '00:00' ? format(time, { day: 'numeric', month: 'short' }) : text;
}
