// A key of the administrative interface: random, shown once, kept as a hash. It belongs to a tenant and speaks for its
// owner, whose e-mail stands in createdBy and modifiedBy. Knows no store.
import { createHash, randomBytes, randomUUID } from 'node:crypto';

export type ApiKey = {
  readonly id: string;
  readonly tenant: string;
  /** The owner's. */
  readonly email: string;
  readonly name?: string;
  /** The first characters of the secret: enough to tell two keys apart, not to guess one. */
  readonly hint: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  /** ISO 8601; from then on the key is refused. */
  readonly expiresAt?: string;
};

/** 256 random bits need no slow hash: there is no dictionary to try. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export type KeyOwner = { readonly tenant: string; readonly email: string; readonly name?: string };

/** @param secret the key itself, when somebody chose one; else a random one is made */
export function issueKey(
  owner: KeyOwner,
  createdBy: string,
  createdAt: string,
  secret = `mr_${randomBytes(32).toString('base64url')}`,
): { key: ApiKey; secret: string; hash: string } {
  const hint = secret.slice(0, Math.min(7, Math.floor(secret.length / 4)));
  return { key: { id: randomUUID(), ...owner, hint, createdBy, createdAt }, secret, hash: hashSecret(secret) };
}

export const isExpired = (key: ApiKey, now: string): boolean => key.expiresAt !== undefined && key.expiresAt <= now;
