// SPDX-License-Identifier: Apache-2.0
import { type FieldError, fieldError } from '../errors.ts';

const form =
  /^(19[7-9]\d|[2-9]\d{3})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** True for an existing date and time with a zone, from 1970 on. Source: ISO 8601-1 §5.4.2.1, RFC 3339. */
export function isIsoTime(text: string): boolean {
  const parts = form.exec(text);
  if (!parts) return false;
  const numbers = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
}

/** @param value of any type; only text can have this fault */
export function timeFaults(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string' || isIsoTime(value)) return [];
  const expected = 'must be an ISO 8601 date and time with a time zone, such as "2026-03-01T20:15:00Z"';
  return [fieldError('date-time', path, `${expected}; got ${JSON.stringify(value.slice(0, 60))}`)];
}
