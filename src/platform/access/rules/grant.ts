// SPDX-License-Identifier: Apache-2.0
// The law of keys that are made by requests: a key cannot grant more than it has, in scope, channels and time. It applies to
// creating and rotating keys. Responses to either are repeated only for the same caller (handleOnce.ts). Labels of channels change,
// so a label does not include the channels that have it now: a key for these would outlast the label. Who is restricted to channels
// cannot change labels (channelRoutes.ts).

import { labelKey } from '../../../channels/labels.ts';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import type { Millis } from '../../../time/units.ts';
import { type ChannelLimits, includesScope, type Scope } from './scope.ts';

/** What can be granted. Without `expiresAt` (ISO 8601) it does not end. */
export type Grant = ChannelLimits & { readonly scope: Scope; readonly expiresAt?: string };

type Grantor = Pick<Grant, 'scope' | 'expiresAt'> & {
  readonly limits?: ChannelLimits;
  readonly actor: { readonly kind: 'key' | 'user' };
};

/**
 * What a caller can grant. A role does not end with the session of its user, so the end of a session does not count: the keys of
 * operators who sign in would end with their day.
 */
export function grantOf({ scope, limits, expiresAt, actor }: Grantor): Grant {
  return {
    ...limits,
    scope,
    ...(expiresAt === undefined || actor.kind === 'user' ? {} : { expiresAt }),
  };
}

const shown = (value: string | undefined): string => (value === undefined ? 'none' : JSON.stringify(value));

/** In which fields `wanted` is more than `own`. */
export function grantFaults(own: Grant, wanted: Grant): FieldError[] {
  const faults: FieldError[] = [];
  if (!includesScope(own.scope, wanted.scope)) {
    const message = `must be at most "${own.scope}", the scope of this request; got "${wanted.scope}"`;
    faults.push(fieldError('scope', '/scope', message, { required: wanted.scope, actual: own.scope }));
  }
  faults.push(...limitFaults(own, wanted));
  const ends = ({ expiresAt }: Grant) => (expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt));
  if (ends(wanted) > ends(own)) {
    const message = `must be at most ${shown(own.expiresAt)}, when this key expires; got ${shown(wanted.expiresAt)}`;
    faults.push(fieldError('expiry', '/expiresAt', message, { actual: own.expiresAt }));
  }
  return faults;
}

const isLimited = ({ channels, labels }: ChannelLimits): boolean => channels !== undefined || labels !== undefined;

function limitFaults(own: ChannelLimits, wanted: ChannelLimits): FieldError[] {
  if (!isLimited(own)) return [];
  const { channels = [], labels = [] } = own;
  const known = new Set(labels.map(labelKey));
  const id = wanted.channels?.find((one) => !channels.includes(one));
  const label = wanted.labels?.find((one) => !known.has(labelKey(one)));
  const faults: FieldError[] = [];
  if (id !== undefined || !isLimited(wanted))
    faults.push(
      fieldError('channels', '/channels', `must be channels of this key; got ${shown(id)}`, { actual: channels }),
    );
  if (label !== undefined)
    faults.push(fieldError('labels', '/labels', `must be labels of this key; got ${shown(label)}`, { actual: labels }));
  return faults;
}

/**
 * @param what would grant it
 * @throws {AppError} FORBIDDEN
 */
export function requireGrant(own: Grant, wanted: Grant, what: string): void {
  const faults = grantFaults(own, wanted);
  if (faults.length === 0) return;
  const fields = faults.map(({ dataPath, message }) => `${dataPath.slice(1)} ${message}`).join('; ');
  throw new AppError('FORBIDDEN', `A key cannot grant more than it has. ${what}: ${fields}.`, { data: faults });
}

/** A date, with or without a time with a time zone: without one, the time of the server would count. */
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Whether a key can expire then. */
export function expiryFaults(text: string, now: Millis): FieldError[] {
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN;
  const fault = (message: string) => [fieldError('expiry', '/expiresAt', `${message}; got ${JSON.stringify(text)}`)];
  if (Number.isNaN(time)) return fault('must be a date, or a time with a time zone, in ISO 8601');
  return time > now ? [] : fault(`must be in the future (now: ${new Date(now).toISOString()})`);
}
