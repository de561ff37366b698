// SPDX-License-Identifier: Apache-2.0
// API keys of the administrative interface: random, shown once, stored as a hash. A key belongs to a tenant and acts
// for its owner, whose e-mail address becomes `createdBy` and `modifiedBy`. Storing keys is left to the ApiKeyStore.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Grant } from './grant.ts';
import { DEFAULT_SCOPE } from './scope.ts';

export type ApiKey = Grant & {
  readonly id: string;
  readonly tenant: string;
  /** The owner's e-mail address. */
  readonly email: string;
  readonly name?: string;
  /** The first characters of the secret: enough to distinguish two keys, too few to guess one. */
  readonly hint: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  /** ISO 8601; from then on the key is rejected. */
  readonly expiresAt?: string;
};

/** A fast hash is enough for 256 random bits, which no dictionary contains. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** @param owner with the rights of the key; default: everything, without expiry @param secret the key itself; random by default */
export function issueKey(
  owner: Partial<Grant> & Pick<ApiKey, 'tenant' | 'email' | 'name' | 'expiresAt'>,
  createdBy: string,
  createdAt: string,
  secret = `mr_${randomBytes(32).toString('base64url')}`,
): { key: ApiKey; secret: string; hash: string } {
  const hint = secret.slice(0, Math.min(7, Math.floor(secret.length / 4)));
  return {
    key: { id: randomUUID(), scope: DEFAULT_SCOPE, ...owner, hint, createdBy, createdAt },
    secret,
    hash: hashSecret(secret),
  };
}

export const isExpired = (key: ApiKey, now: string): boolean => key.expiresAt !== undefined && key.expiresAt <= now;
