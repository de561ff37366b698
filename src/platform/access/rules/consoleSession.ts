// SPDX-License-Identifier: Apache-2.0
// A user who signed in to the console with OpenID Connect. The browser has a random token in a cookie; its hash is stored. The
// rights are those of the role at the sign-in, or at the last check by the provider.
import { randomBytes, randomUUID } from 'node:crypto';
import { type Millis, millis } from '../../../time/units.ts';
import { hashSecret } from './apiKey.ts';
import type { Identity } from './identity.ts';

/** What the provider has issued: `refresh` checks the role again, `id` ends the session at the provider. */
export type ProviderTokens = { readonly refresh?: string; readonly id?: string };

export type ConsoleSession = Identity & {
  readonly id: string;
  readonly createdAt: Millis;
  readonly lastSeenAt: Millis;
  readonly expiresAt: Millis;
  /** When the provider last confirmed the role. */
  readonly checkedAt: Millis;
};

export type SessionLimits = {
  /** From the sign-in on, in milliseconds. */
  readonly lifetime: number;
  /** Without a request, in milliseconds. */
  readonly idle: number;
};

/** Resolution of the time of the last request. */
const SEEN_RESOLUTION_MS = 60_000;
/** How long a role is used before the provider is asked for it again. */
export const ROLE_CHECK_MS = 10 * 60_000;

export function startConsoleSession(identity: Identity, now: Millis, { lifetime }: SessionLimits) {
  const token = randomBytes(32).toString('base64url');
  const session: ConsoleSession = {
    id: randomUUID(),
    ...identity,
    createdAt: now,
    lastSeenAt: now,
    checkedAt: now,
    expiresAt: millis(now + lifetime),
  };
  return { token, hash: hashSecret(token), session };
}

export const isActive = ({ lastSeenAt, expiresAt }: ConsoleSession, now: Millis, { idle }: SessionLimits): boolean =>
  now < expiresAt && now < lastSeenAt + idle;

/** When the session ends without another request. */
export const endsAt = ({ lastSeenAt, expiresAt }: ConsoleSession, { idle }: SessionLimits): Millis =>
  millis(Math.min(expiresAt, lastSeenAt + idle));

export const isSeenAgain = ({ lastSeenAt }: ConsoleSession, now: Millis): boolean =>
  now - lastSeenAt >= SEEN_RESOLUTION_MS;

export const isCheckDue = ({ checkedAt }: ConsoleSession, now: Millis): boolean => now - checkedAt >= ROLE_CHECK_MS;
