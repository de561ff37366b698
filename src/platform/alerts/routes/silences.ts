// SPDX-License-Identifier: Apache-2.0
// The fields of silences in requests and responses.

import { fieldsOf } from '../../../channels/fieldsOf.ts';
import type { Versioned } from '../../../channels/ports.ts';
import { type FieldError, fieldError } from '../../../errors.ts';
import { readTime } from '../../../http/admin/request/readRange.ts';
import { showRecord } from '../../../http/admin/routes/record.ts';
import { isoText, type Millis, millis } from '../../../time/units.ts';
import { MAX_SILENCE_MINUTES } from '../contract/alertValues.ts';
import type { SilenceResponse } from '../contract/silenceContract.ts';
import { MINUTE_MS } from '../rules/rule.ts';
import type { Silence } from '../rules/silence.ts';

type End = { readonly minutes?: number; readonly until?: string };

const inMinutes = (now: Millis, minutes: number): Millis => millis(now + minutes * MINUTE_MS);

export function endFaults(body: unknown, now: Millis): FieldError[] {
  const { minutes, until } = fieldsOf(body);
  if ((minutes === undefined) === (until === undefined)) {
    const got = minutes === undefined ? 'neither' : 'both';
    return [fieldError('end', '/minutes', `must be present, or "until" in its place; got ${got}`)];
  }
  if (typeof until !== 'string') return [];
  const end = readTime(until);
  if (end !== undefined && end > now && end <= inMinutes(now, MAX_SILENCE_MINUTES)) return [];
  const shown = JSON.stringify(until.slice(0, 40));
  return [
    fieldError('end', '/until', `must be a time within the next four weeks, ISO 8601 or UNIX seconds; got ${shown}`),
  ];
}

/** @param body without faults */
export const readEnd = ({ minutes, until = '' }: End, now: Millis): Millis =>
  minutes === undefined ? (readTime(until) ?? now) : inMinutes(now, minutes);

export const showSilence = ({ until, ...silence }: Versioned<Silence>) =>
  ({ ...showRecord(silence as Versioned<Silence>), until: isoText(until) }) as SilenceResponse;
