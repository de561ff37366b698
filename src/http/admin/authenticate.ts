// SPDX-License-Identifier: Apache-2.0
// Authenticates requests by API key. Keys are not cached, so that revoking one takes effect immediately on every replica.
import { AppError } from '../../errors.ts';
import { hashSecret, isExpired } from '../../tenants/apiKey.ts';
import type { ApiKeyStore } from '../../tenants/ports.ts';
import type { Millis } from '../../time/units.ts';
import type { Caller } from './request/route.ts';

/** Resolution of the time of last use. */
const LAST_USED_RESOLUTION_MS = 60_000;

/** @param onTouchFailed receives the error if the time of last use could not be stored */
export function createAuthenticator(keys: ApiKeyStore, now: () => Millis, onTouchFailed: (error: unknown) => void) {
  /**
   * @param header x-api-key
   * @throws {AppError} KEY_MISSING, FORBIDDEN
   */
  return async (header: string | string[] | undefined): Promise<Caller> => {
    if (typeof header !== 'string' || header === '')
      throw new AppError('KEY_MISSING', 'Missing x-api-key header. Send an API key of your tenant with every request.');
    const key = await keys.findByHash(hashSecret(header));
    const time = now();
    const at = new Date(time).toISOString();
    if (!key || isExpired(key, at)) throw new AppError('FORBIDDEN', 'Invalid API key.');
    if (key.lastUsedAt === undefined || time - Date.parse(key.lastUsedAt) >= LAST_USED_RESOLUTION_MS)
      keys.touch(key.id, at).catch(onTouchFailed);
    return { tenant: key.tenant, email: key.email };
  };
}
