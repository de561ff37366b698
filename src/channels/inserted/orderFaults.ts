// SPDX-License-Identifier: Apache-2.0
// Faults of a request that a JSON schema cannot express: fields that belong to another action, times and lengths. Accepts any
// value and ignores wrong types, so that it can run next to the schema and all faults are reported at once.
import { type FieldError, fieldError } from '../../errors.ts';
import type { Millis } from '../../time/units.ts';
import { fieldsOf } from '../fieldsOf.ts';
import { timeFaults } from '../isIsoTime.ts';
import { urlFaults } from '../urlFaults.ts';

/** Milliseconds. A start that is earlier is a mistake of the client. */
const LATEST_LATE = 60_000;
/** Milliseconds. Further ahead, a schedule is the right place. */
const FURTHEST_AHEAD = 30 * 86_400_000;

const INSERT_ONLY = ['kind', 'startsAt', 'duration', 'asset'] as const;

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 100) ?? 'nothing';

/** Faults that do not depend on the time of the request. @param maxBreakDuration seconds, of a break with ads */
export function orderFaults(body: unknown, maxBreakDuration: number): FieldError[] {
  const fields = fieldsOf(body);
  const { action = 'insert', kind = 'ads', startsAt, duration, asset, id } = fields;
  if (action === 'end' || action === 'cancel') {
    const faults = INSERT_ONLY.filter((name) => fields[name] !== undefined).map((name) =>
      fieldError('action', `/${name}`, `must be absent when action is "${action}"; got ${shown(fields[name])}`),
    );
    const isMissing = action === 'cancel' && id === undefined;
    const missing = fieldError('required', '/id', 'is required when action is "cancel"', { missingProperty: 'id' });
    return isMissing ? [missing, ...faults] : faults;
  }
  if (action !== 'insert') return [];
  return [
    ...timeFaults(startsAt, '/startsAt'),
    ...lengthFaults(kind, duration, maxBreakDuration),
    ...(kind === 'ads' && asset !== undefined
      ? [fieldError('kind', '/asset', `is allowed only when kind is "blackout"; got ${shown(asset)}`)]
      : urlFaults(asset, '/asset')),
  ];
}

function lengthFaults(kind: unknown, duration: unknown, most: number): FieldError[] {
  if (kind !== 'ads') return [];
  if (duration === undefined)
    return [
      fieldError('required', '/duration', 'is required when kind is "ads"; got nothing', {
        missingProperty: 'duration',
      }),
    ];
  if (typeof duration !== 'number' || duration <= most) return [];
  const message = `must be at most ${most}, the maxBreakDuration of the channel, when kind is "ads"; got ${duration}`;
  return [fieldError('maximum', '/duration', message, { limit: most })];
}

/** The faults of a break that is not stored yet: a repeated request is valid at any time. */
export function startFaults(startsAt: Millis, now: Millis): FieldError[] {
  const iso = (time: number) => new Date(time).toISOString();
  if (startsAt < now - LATEST_LATE)
    return [fieldError('range', '/startsAt', `must not be in the past (it is ${iso(now)}); got "${iso(startsAt)}"`)];
  if (startsAt <= now + FURTHEST_AHEAD) return [];
  return [fieldError('range', '/startsAt', `must be within 30 days from now (${iso(now)}); got "${iso(startsAt)}"`)];
}
