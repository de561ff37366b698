// SPDX-License-Identifier: Apache-2.0
// Receivers of events, and the signatures of what is sent to webhooks: standardwebhooks.com, version 1. Sending is left to
// sendDeliveries.ts and to the port that it uses.
import { createHmac, randomBytes } from 'node:crypto';
import type { Written } from '../../../channels/written.ts';
import type { Millis } from '../../../time/units.ts';

type WebhookSecret = {
  /** `whsec_` and base64. */
  readonly secret: string;
  /** The end of the overlap after a rotation. Absent for the newest secret. */
  readonly expiresAt?: Millis;
};

/** Where events are sent, and what must stay secret: it is encrypted in the store. */
export type Receiver =
  | {
      readonly type: 'webhook';
      readonly url: string;
      /** Newest first. */
      readonly secrets: readonly WebhookSecret[];
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

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** The most secrets of a webhook. Each is one more signature in every delivery. */
const MAX_SECRETS = 3;

export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

const isValid = ({ expiresAt }: WebhookSecret, now: Millis): boolean => expiresAt === undefined || expiresAt > now;

/** Adds a secret. The one before signs until the overlap ends, too. */
export function rotateSecrets(
  secrets: readonly WebhookSecret[],
  secret: string,
  now: Millis,
  overlapMs: number,
): WebhookSecret[] {
  const end = (now + overlapMs) as Millis;
  const old = secrets.map((one) => ({ ...one, expiresAt: Math.min(one.expiresAt ?? end, end) as Millis }));
  return [{ secret }, ...old.filter((one) => isValid(one, now))].slice(0, MAX_SECRETS);
}

const signature = ({ secret }: WebhookSecret, text: string): string => {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
};

/** The headers that identify and sign a delivery. */
export function signedHeaders(
  secrets: readonly WebhookSecret[],
  { id, body }: { readonly id: string; readonly body: string },
  now: Millis,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets
    .filter((one) => isValid(one, now))
    .map((one) => signature(one, `${id}.${timestamp}.${body}`));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
