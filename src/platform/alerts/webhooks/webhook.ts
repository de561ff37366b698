// SPDX-License-Identifier: Apache-2.0
// Receivers of events, and the secrets of webhooks. Sending is left to sendDeliveries.ts and to the port that it uses.
import { randomBytes } from 'node:crypto';
import { isValidSecret, SECRET_PREFIX, type SigningSecret } from '../../../adapters/http/signedHeaders.ts';
import type { Written } from '../../../channels/written.ts';
import type { Millis } from '../../../time/units.ts';

/** Where events are sent, and what must stay secret: it is encrypted in the store. */
export type Receiver =
  | {
      readonly type: 'webhook';
      readonly url: string;
      /** Newest first. */
      readonly secrets: readonly SigningSecret[];
    }
  | { readonly type: 'email'; readonly to: readonly string[]; readonly secrets: Readonly<Record<string, never>> }
  /** The URL is a credential. */
  | { readonly type: 'slack'; readonly secrets: { readonly url: string } }
  | {
      readonly type: 'pagerduty';
      /** Absent: PagerDuty itself. */
      readonly url?: string;
      readonly secrets: { readonly routingKey: string };
    };

export type Webhook = Written &
  Receiver & {
    readonly description?: string;
    readonly enabled: boolean;
    /** Whether alerts of one rule that start or end at about the same time are one message. */
    readonly grouped: boolean;
    /** Why Midroll has disabled it. */
    readonly disabledReason?: string;
  };

/** The most webhooks of a tenant. */
export const MAX_WEBHOOKS = 50;

const SECRET_BYTES = 32;
/** The most secrets of a webhook. Each is one more signature in every delivery. */
const MAX_SECRETS = 3;

export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Adds a secret. The one before signs until the overlap ends, too. */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  secret: string,
  now: Millis,
  overlapMs: number,
): SigningSecret[] {
  const end = (now + overlapMs) as Millis;
  const old = secrets.map((one) => ({ ...one, expiresAt: Math.min(one.expiresAt ?? end, end) as Millis }));
  return [{ secret }, ...old.filter((one) => isValidSecret(one, now))].slice(0, MAX_SECRETS);
}
