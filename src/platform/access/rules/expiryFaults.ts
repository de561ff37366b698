// SPDX-License-Identifier: Apache-2.0
// Checks when a key is to expire.
import { type FieldError, fieldError } from '../../../errors.ts';
import type { Millis } from '../../../time/units.ts';

/** A date, with or without a time with a time zone: without one, the time of the server would count. */
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

export function expiryFaults(text: string, now: Millis): FieldError[] {
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN;
  const fault = (message: string) => [fieldError('expiry', '/expiresAt', `${message}; got ${JSON.stringify(text)}`)];
  if (Number.isNaN(time)) return fault('must be a date, or a time with a time zone, in ISO 8601');
  return time > now ? [] : fault(`must be in the future (now: ${new Date(now).toISOString()})`);
}
