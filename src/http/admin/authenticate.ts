// Whose request it is. Every key is looked up anew, so that revoking one works at once, on every replica.
import { AppError } from '../../errors.ts';
import { hashSecret, isExpired } from '../../tenants/apiKey.ts';
import type { ApiKeyStore } from '../../tenants/ports.ts';
import type { Millis } from '../../time/units.ts';
import type { Caller } from './request/route.ts';

/** The time of last use is as exact as this. */
const TOUCH_EVERY_MS = 60_000;

export function createAuthenticator(keys: ApiKeyStore, now: () => Millis, onError: (error: unknown) => void) {
  /**
   * @param header x-api-key
   * @throws {AppError} KEY_MISSING, FORBIDDEN
   */
  return async (header: string | string[] | undefined): Promise<Caller> => {
    if (typeof header !== 'string' || header === '')
      throw new AppError('KEY_MISSING', 'The header x-api-key is wanted; none came.');
    const key = await keys.findByHash(hashSecret(header));
    const time = now();
    const at = new Date(time).toISOString();
    if (!key || isExpired(key, at)) throw new AppError('FORBIDDEN', 'Invalid API key.');
    if (key.lastUsedAt === undefined || time - Date.parse(key.lastUsedAt) >= TOUCH_EVERY_MS)
      keys.touch(key.id, at).catch(onError);
    return { tenant: key.tenant, email: key.email };
  };
}
