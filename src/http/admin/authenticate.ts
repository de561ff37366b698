// SPDX-License-Identifier: Apache-2.0
// Authenticates requests by API key, or by the session of a user. Neither is cached, so that revoking one takes effect
// immediately on every replica.
import type { IncomingHttpHeaders } from 'node:http';
import type { ChannelStore } from '../../channels/ports.ts';
import { AppError } from '../../errors.ts';
import { withoutUndefined } from '../../invariant.ts';
import { type ApiKey, hashSecret, isExpired } from '../../platform/access/rules/apiKey.ts';
import type { ApiKeyStore } from '../../platform/access/rules/ports.ts';
import type { Millis } from '../../time/units.ts';
import type { RequestSource } from '../proxies.ts';
import type { Caller } from './request/route.ts';

/** Resolution of the time of last use. */
const LAST_USED_RESOLUTION_MS = 60_000;

/** A request that can have the cookie of a user. */
type SessionRequest = RequestSource & { readonly method: string; readonly headers: IncomingHttpHeaders };
/** Undefined for a request without a session. @param isNew false if the same request is authenticated again */
export type SessionReader = (request: SessionRequest, isNew: boolean) => Promise<Caller | undefined>;

type AuthenticatorDeps = {
  readonly keys: ApiKeyStore;
  readonly channels: Pick<ChannelStore, 'labelled'>;
  readonly now: () => Millis;
  /** Receives the error if the time of last use could not be stored. */
  readonly onTouchFailed: (error: unknown) => void;
  /** Undefined without OpenID Connect. */
  readonly readSession: SessionReader | undefined;
};

/** @param labelled the channels that have one of its labels */
const callerOf = (
  { id, tenant, email, name, hint, scope, channels, labels, expiresAt }: ApiKey,
  labelled: readonly string[] | undefined,
): Caller => ({
  ...withoutUndefined({ channels: labelled ? [...new Set([...(channels ?? []), ...labelled])] : channels, expiresAt }),
  limits: withoutUndefined({ channels, labels }),
  tenant,
  email,
  scope,
  actor: { kind: 'key', id, ...(name === undefined ? {} : { name }), hint },
});

export function createAuthenticator({ keys, channels, now, onTouchFailed, readSession }: AuthenticatorDeps) {
  /**
   * @param isNew false if a request that is still open is authenticated again
   * @throws {AppError} KEY_MISSING, FORBIDDEN
   */
  return async (request: SessionRequest, isNew = true): Promise<Caller> => {
    const header = request.headers['x-api-key'];
    if (typeof header !== 'string' || header === '') {
      const user = await readSession?.(request, isNew);
      if (user !== undefined) return user;
      throw new AppError('KEY_MISSING', 'Missing x-api-key header. Send an API key of your tenant with every request.');
    }
    const key = await keys.findByHash(hashSecret(header));
    const time = now();
    const at = new Date(time).toISOString();
    if (!key || isExpired(key, at)) throw new AppError('FORBIDDEN', 'Invalid API key.');
    const isUsed =
      isNew && (key.lastUsedAt === undefined || time - Date.parse(key.lastUsedAt) >= LAST_USED_RESOLUTION_MS);
    if (isUsed) keys.touch(key.id, at).catch(onTouchFailed);
    return callerOf(key, key.labels && (await channels.labelled(key.tenant, key.labels)));
  };
}
