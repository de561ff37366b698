// SPDX-License-Identifier: Apache-2.0
// The signatures of what is sent to operators, to webhooks and hooks: standardwebhooks.com, version 1.
import { createHmac } from 'node:crypto';
import type { Millis } from '../../time/units.ts';

export type SigningSecret = {
  /** SECRET_PREFIX and base64. */
  readonly secret: string;
  /** The end of the overlap after a rotation. Absent for the newest secret. */
  readonly expiresAt?: Millis;
};

export const SECRET_PREFIX = 'whsec_';

export const isValidSecret = ({ expiresAt }: SigningSecret, now: Millis): boolean =>
  expiresAt === undefined || expiresAt > now;

const signature = ({ secret }: SigningSecret, text: string): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
};

/** The headers that identify and sign a message. */
export function signedHeaders(
  secrets: readonly SigningSecret[],
  { id, body }: { readonly id: string; readonly body: string },
  now: Millis,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets
    .filter((one) => isValidSecret(one, now))
    .map((one) => signature(one, `${id}.${timestamp}.${body}`));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
