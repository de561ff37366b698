// SPDX-License-Identifier: Apache-2.0
// Time ranges in queries: ISO 8601 or UNIX seconds. Numbers too large for seconds are milliseconds.
import { Type } from 'typebox';
import { isIsoTime } from '../../../channels/isIsoTime.ts';
import { type FieldError, fieldError } from '../../../errors.ts';
import { isoText, type Millis, millis } from '../../../time/units.ts';
import { integer, timeText } from '../../contract/commonContract.ts';
import { rejectQuery } from './readQuery.ts';

const HOUR_MS = 3_600_000;
/** Larger numbers are milliseconds. */
const MAX_UNIX_SECONDS = 1e11;
/** The latest time that a date can hold. */
const MAX_MILLIS = 8.64e15;

export type TimeRange = { readonly from: Millis; readonly to: Millis };
type RangeQuery = { readonly from?: string; readonly to?: string };

const timeRange = Type.Object({
  from: timeText('Start of the range, ISO 8601 or UNIX seconds. Default: now.'),
  to: timeText('End of the range, exclusive. Default: one hour after `from`.'),
});

export const timelineQuery = Type.Object({
  ...timeRange.properties,
  to: timeText(
    'End of the range, exclusive. At most 24 hours after `from`, with `limit` eight days. Default: one hour.',
  ),
  limit: Type.Optional(integer('Most entries of a response.', { minimum: 1, maximum: 5000 })),
});

/** UNIX seconds or milliseconds; undefined beyond what a date can hold. */
export function unixTime(value: number): Millis | undefined {
  const time = value > MAX_UNIX_SECONDS ? value : value * 1000;
  return time <= MAX_MILLIS ? millis(Math.round(time)) : undefined;
}

/** ISO 8601 or UNIX seconds. */
export function readTime(text: string): Millis | undefined {
  if (isIsoTime(text)) return millis(Date.parse(text));
  return /^\d{1,16}(\.\d{1,9})?$/.test(text) ? unixTime(Number(text)) : undefined;
}

/**
 * @param defaults supplies the end that the query omits
 * @param maxLength milliseconds
 * @param fromName of the parameter that `from` was read from
 * @throws {AppError} VALIDATION_ERROR with each invalid parameter
 */
export function readRange(
  query: RangeQuery,
  defaults: (given: Readonly<Record<keyof TimeRange, Millis | undefined>>) => TimeRange,
  maxLength = Number.POSITIVE_INFINITY,
  fromName = 'from',
): TimeRange {
  const faults: FieldError[] = [];
  const read = (name: 'from' | 'to'): Millis | undefined => {
    const text = query[name];
    const time = text === undefined ? undefined : readTime(text);
    if (text !== undefined && time === undefined) {
      const expected = 'must be an ISO 8601 time with a time zone, or UNIX seconds';
      faults.push(
        fieldError('time', `/${name === 'from' ? fromName : name}`, `${expected}; got ${JSON.stringify(text)}`),
      );
    }
    return time;
  };
  const given = { from: read('from'), to: read('to') };
  rejectQuery(faults);
  const { from, to } = defaults(given);
  if (to <= from) faults.push(fieldError('range', '/to', `must be after from (${isoText(from)}); got ${isoText(to)}`));
  if (to - from > maxLength) {
    const expected = `must be at most ${maxLength / HOUR_MS} hours after from (${isoText(from)})`;
    faults.push(fieldError('range', '/to', `${expected}; got ${isoText(to)}`));
  }
  rejectQuery(faults);
  return { from, to };
}

/** By default, all times. */
export const readOpenRange = (query: RangeQuery): TimeRange =>
  readRange(query, ({ from = millis(0), to = millis(MAX_MILLIS) }) => ({ from, to }));

/** At most 24 hours, eight days if the entries are limited. By default the hour from now. */
export const readTimelineRange = (query: RangeQuery & { readonly limit?: number }, now: Millis): TimeRange =>
  readRange(
    query,
    ({ from = now, to = millis(from + HOUR_MS) }) => ({ from, to }),
    (query.limit === undefined ? 1 : 8) * 24 * HOUR_MS,
  );
