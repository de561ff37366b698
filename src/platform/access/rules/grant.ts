// SPDX-License-Identifier: Apache-2.0
// The law of keys that are made by requests: a key cannot grant more than it has, in scope, channels and time. It applies to every
// way in which a request gets the secret of a key: creating one and rotating one. Responses to either are repeated only for the same caller (handleOnce.ts).
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { includesScope, type Rights } from './scope.ts';

/** What can be granted. Without `expiresAt` (ISO 8601) it does not end. */
export type Grant = Rights & { readonly expiresAt?: string };

type Grantor = Grant & { readonly actor: { readonly kind: 'key' | 'user' } };

/**
 * What a caller can grant. A role does not end with the session of its user, so the end of a session does not count: the keys of
 * operators who sign in would end with their day.
 */
export function grantOf({ scope, channels, expiresAt, actor }: Grantor): Grant {
  return {
    scope,
    ...(channels === undefined ? {} : { channels }),
    ...(expiresAt === undefined || actor.kind === 'user' ? {} : { expiresAt }),
  };
}

const shown = (value: string | undefined): string => (value === undefined ? 'none' : JSON.stringify(value));

/** In which fields `wanted` is more than `own`. */
export function grantFaults(own: Grant, wanted: Grant): FieldError[] {
  const faults: FieldError[] = [];
  const add = (keyword: string, path: string, message: string, params: Record<string, unknown>) =>
    void faults.push(fieldError(keyword, path, message, params));
  if (!includesScope(own.scope, wanted.scope))
    add('scope', '/scope', `must be at most "${own.scope}", the scope of this request; got "${wanted.scope}"`, {
      required: wanted.scope,
      actual: own.scope,
    });
  const { channels } = own;
  const others = wanted.channels?.filter((id) => !channels?.includes(id));
  if (channels !== undefined && (others === undefined || others.length > 0))
    add('channels', '/channels', `must be channels of this key; got ${shown(others?.[0])}`, { actual: channels });
  const ends = (grant: Grant) =>
    grant.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(grant.expiresAt);
  if (ends(wanted) > ends(own))
    add(
      'expiry',
      '/expiresAt',
      `must be at most ${shown(own.expiresAt)}, when this key expires; got ${shown(wanted.expiresAt)}`,
      {
        actual: own.expiresAt,
      },
    );
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
