// SPDX-License-Identifier: Apache-2.0
// What receivers need from outside: stores, implemented in src/platform/alerts/store, and clients that send.

import type { Millis } from '../../../time/units.ts';
import type { RecordStore } from '../../systems/rules/ports.ts';
import type { ClaimedDelivery, Delivery, DeliveryOutcome, NewDelivery, SendResult } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** Removing a webhook removes its deliveries, too. */
export type WebhookStore = RecordStore<Webhook>;

export type WebhookRef = { readonly tenant: string; readonly webhookId: string };

type DeliveryFilter = WebhookRef & {
  readonly state?: Delivery['state'];
  /** Only deliveries with a lower number. */
  readonly before?: number;
};

type DeliveryBacklog = {
  /** Deliveries whose attempt is due, and that no process has claimed. */
  readonly due: number;
  /** Deliveries that wait for their next attempt after a failed one. */
  readonly retrying: number;
  /** When the one that has been due longest was due. */
  readonly oldestDue?: Millis;
};

export type WebhookDeliveryStore = {
  /** On disk when it resolves. A delivery whose id exists is not changed. */
  add(deliveries: readonly NewDelivery[]): Promise<void>;
  /** Webhooks with deliveries that are due. */
  due(now: Millis): Promise<readonly WebhookRef[]>;
  /** Claims due deliveries of a webhook until an instant, those that are due longest first. */
  claim(webhook: WebhookRef, most: number, now: Millis, until: Millis): Promise<ClaimedDelivery[]>;
  /** Has no effect if the claim has expired and another process has claimed the delivery. */
  settle(delivery: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void>;
  /** Newest first. */
  list(filter: DeliveryFilter, most: number): Promise<Delivery[]>;
  find(tenant: string, webhookId: string, id: string): Promise<Delivery | undefined>;
  /** Makes a delivery due now. @returns false if it does not exist, or is being sent */
  retry(tenant: string, webhookId: string, id: string, now: Millis): Promise<boolean>;
  /** The backlog of all tenants. */
  backlog(now: Millis): Promise<DeliveryBacklog>;
  /** Deletes the deliveries created before an instant, and the oldest of webhooks that have more than `most`. */
  removeOld(before: Millis, most: number): Promise<void>;
};

/** What a receiver is sent, with all secrets in it. */
export type Outgoing =
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | ({ readonly kind: 'mail'; readonly to: readonly string[]; readonly id: string } & MailText);

export type MailText = {
  readonly subject: string;
  readonly text: string;
  readonly isUrgent: boolean;
  /** Messages about the same are one thread. */
  readonly thread: string;
};

/** Does not throw for failures of the host or the network. */
export type SendOutgoing = (outgoing: Outgoing) => Promise<SendResult>;
/** Sends one kind. */
export type SendAs<Kind extends Outgoing['kind']> = (
  outgoing: Extract<Outgoing, { readonly kind: Kind }>,
) => Promise<SendResult>;
