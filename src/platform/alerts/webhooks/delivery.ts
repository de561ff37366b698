// SPDX-License-Identifier: Apache-2.0
// A delivery: one message to one webhook, with the log of its attempts. Delivered at least once, always with the same id.
import { createHash } from 'node:crypto';
import type { Millis } from '../../../time/units.ts';
import type { DeliveryResponse } from '../contract/webhookContract.ts';

/** `reason` is a predicate of the receiver. */
export type Attempt = Readonly<Omit<DeliveryResponse['log'][number], 'at'>> & { readonly at: Millis };

export type NewDelivery = {
  readonly id: string;
  readonly tenant: string;
  readonly webhookId: string;
  /** Such as `alert.firing`. */
  readonly type: string;
  /** JSON of the message; of a group, of its events, with commas between them. */
  readonly body: string;
  readonly createdAt: Millis;
  /** What it is about. While it waits, events of the same group are added to it. */
  readonly group?: string;
};

/** The type of a delivery that tells a paging service that somebody has taken over. */
export const ACKNOWLEDGED = 'alert.acknowledged';

/** How long the first event of a group waits for others: the time of two more evaluations. */
const GROUPING_MS = 20_000;
/** Characters of a body above which a group is full. */
export const MAX_GROUP_CHARACTERS = 200_000;

/** When a new delivery is sent first. */
export const firstDueAt = ({ group, createdAt }: NewDelivery): Millis =>
  group === undefined ? createdAt : ((createdAt + GROUPING_MS) as Millis);

export type Delivery = NewDelivery & {
  readonly seq: number;
  readonly state: DeliveryResponse['state'];
  /** When it is sent next; absent unless it is pending. */
  readonly dueAt?: Millis;
  /** Since when it is retried: its creation, or a retry by hand. */
  readonly queuedAt: Millis;
  /** Including those before a retry by hand. */
  readonly attempts: number;
  /** Oldest first; the newest MAX_LOGGED. */
  readonly log: readonly Attempt[];
};

/** A delivery that one process may send until its claim expires. */
export type ClaimedDelivery = Delivery & {
  readonly claim: string;
  /** Attempts since it was queued, including the current one. */
  readonly tries: number;
};

export type DeliveryOutcome = { readonly attempt: Attempt } & (
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'pending'; readonly dueAt: Millis }
);

/** How long deliveries are kept after their creation. */
export const DELIVERIES_KEPT_MS = 7 * 24 * 3_600_000;
const MAX_LOGGED = 20;

export const addAttempt = (log: readonly Attempt[], attempt: Attempt): Attempt[] =>
  [...log, attempt].slice(-MAX_LOGGED);

/** The same for the same event and webhook, so that it is stored once. */
export const deliveryIdOf = (source: string, webhookId: string): string =>
  `msg_${createHash('sha256').update(`${source} ${webhookId}`).digest('base64url').slice(0, 24)}`;

/** The body of a message (standardwebhooks.com, "Payload structure"). */
export const messageOf = (type: string, at: Millis, data: object): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });

const FIRST_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 6 * 3_600_000;
const ABANDONED_AFTER_MS = 24 * 3_600_000;

/** Four times as long after each attempt, with jitter so that deliveries that failed together are not retried together. */
export const retryAfter = (tries: number, random: number): number =>
  Math.round(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 4 ** Math.min(tries - 1, 20)) * (0.75 + random / 2));

export type SendResult = Omit<Attempt, 'at' | 'durationMs'> & {
  readonly durationMs: number;
  /** A retry would fail, too. */
  readonly isPermanent?: true;
  /** There was nothing to send any more; `reason` states why. */
  readonly isObsolete?: true;
};

/** @param random 0 to 1 */
export function outcomeOf(
  { tries, queuedAt }: Pick<ClaimedDelivery, 'tries' | 'queuedAt'>,
  result: SendResult,
  at: Millis,
  random: number,
): DeliveryOutcome {
  const { isPermanent, isObsolete, ...attempt } = result;
  const logged = { attempt: { at, ...attempt } };
  const { status = 0 } = result;
  if (isObsolete || (status >= 200 && status < 300)) return { ...logged, state: 'delivered' };
  const dueAt = (at + result.durationMs + retryAfter(tries, random)) as Millis;
  const isLast = isPermanent || status === 410 || dueAt > queuedAt + ABANDONED_AFTER_MS;
  return isLast ? { ...logged, state: 'failed' } : { ...logged, state: 'pending', dueAt };
}
