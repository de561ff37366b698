// SPDX-License-Identifier: Apache-2.0
// API keys of the administrative interface: random, shown once, stored as a hash. A key belongs to a tenant and acts
// for its owner, whose e-mail address becomes `createdBy` and `modifiedBy`. Storing keys is left to the ApiKeyStore.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import type { KeyResponse } from '../contract/accessContract.ts';
import { DEFAULT_SCOPE, type Rights } from './scope.ts';

/** What the API returns. `email` is that of the owner; from `expiresAt` on the key is rejected. */
export type ApiKey = DeepReadonly<KeyResponse>;

/** A fast hash is enough for 256 random bits, which no dictionary contains. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** @param owner with the rights of the key; default: everything, without expiry @param secret the key itself; random by default */
export function issueKey(
  owner: Partial<Rights> & Pick<ApiKey, 'tenant' | 'email' | 'name' | 'expiresAt'>,
  createdBy: string,
  createdAt: string,
  secret = `mr_${randomBytes(32).toString('base64url')}`,
): { key: ApiKey; secret: string; hash: string } {
  // The first characters: enough to distinguish two keys, too few to guess one.
  const hint = secret.slice(0, Math.min(7, Math.floor(secret.length / 4)));
  return {
    key: { id: randomUUID(), scope: DEFAULT_SCOPE, ...owner, hint, createdBy, createdAt },
    secret,
    hash: hashSecret(secret),
  };
}

export const isExpired = (key: ApiKey, now: string): boolean => key.expiresAt !== undefined && key.expiresAt <= now;
