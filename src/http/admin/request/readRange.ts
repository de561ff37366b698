// A stretch of time in a query: ISO 8601 or UNIX seconds; what is too large for seconds is milliseconds.
import { Type } from 'typebox';
import { isIsoTime } from '../../../channels/isIsoTime.ts';
import { type FieldError, fieldError } from '../../../errors.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { refuse } from './readQuery.ts';

const HOUR = 3_600_000;
const LONGEST = 24 * HOUR;
const SECONDS_END = 1e11;
const LAST_MILLIS = 8.64e15;

export const timeRange = Type.Object({
  from: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601 or UNIX seconds; now when omitted' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'likewise; an hour after from when omitted' })),
});

/** @returns undefined for what is no time */
export function readTime(text: string): Millis | undefined {
  if (isIsoTime(text)) return millis(Date.parse(text));
  if (!/^\d{1,16}(\.\d{1,9})?$/.test(text)) return undefined;
  const value = Number(text) > SECONDS_END ? Number(text) : Number(text) * 1000;
  return value <= LAST_MILLIS ? millis(Math.round(value)) : undefined;
}

/** @throws {AppError} VALIDATION_ERROR that names the ends that can't be read */
export function readRange(query: { from?: string; to?: string }, now: Millis): { from: Millis; to: Millis } {
  const from = query.from === undefined ? now : readTime(query.from);
  const to = query.to === undefined ? millis((from ?? now) + HOUR) : readTime(query.to);
  const faults: FieldError[] = [];
  const wanted = 'must be a time as ISO 8601 with a zone, or UNIX seconds';
  if (from === undefined) faults.push(fieldError('time', '/from', `${wanted}; got ${JSON.stringify(query.from)}`));
  if (to === undefined) faults.push(fieldError('time', '/to', `${wanted}; got ${JSON.stringify(query.to)}`));
  if (from !== undefined && to !== undefined) {
    if (to <= from) faults.push(fieldError('range', '/to', 'must be after from'));
    if (to - from > LONGEST) faults.push(fieldError('range', '/to', 'must be at most 24 hours after from'));
  }
  refuse(faults, 'The range is not valid.');
  return { from: from!, to: to! };
}
