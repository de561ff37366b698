// SPDX-License-Identifier: Apache-2.0
// Sends due deliveries. Each is claimed before it is sent and settled afterwards, so that two nodes never send the same attempt.
// If a process dies, its claims expire, and the deliveries are sent again with the same id.
import type { Millis } from '../../time/units.ts';
import { millis } from '../../time/units.ts';
import { type ClaimedDelivery, outcomeOf, type SendResult } from './delivery.ts';
import type { DeliveryStore, SendWebhook, WebhookStore } from './ports.ts';
import { signedHeaders, type Webhook } from './webhook.ts';

export type DeliverySenderDeps = {
  readonly deliveries: DeliveryStore;
  readonly webhooks: Pick<WebhookStore, 'find' | 'replace'>;
  readonly send: SendWebhook;
  readonly now: () => Millis;
  /** @returns a number from 0 to 1 */
  readonly random: () => number;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Called after each attempt. */
  readonly onAttempt: (outcome: AttemptOutcome) => void;
};

/** `retry`: it is attempted again later. */
export type AttemptOutcome = 'delivered' | 'retry' | 'failed';

export type DeliverySender = {
  /** Starts to send due deliveries; does not wait until they are sent. */
  sendDue(): Promise<void>;
  /** Claims no more; resolves when all claimed deliveries are settled. */
  stop(): Promise<void>;
};

/** A slow receiver delays its own deliveries only. */
const MAX_PER_WEBHOOK = 4;
const MAX_CONCURRENT = 64;
/** Much longer than an attempt takes. */
const CLAIM_MS = 60_000;
const MAX_UPDATES = 10;
const GONE = 'It returned status 410 (Gone).';

type Ref = { readonly tenant: string; readonly webhookId: string };
const nameOf = ({ tenant, webhookId }: Ref): string => `${tenant}/${webhookId}`;
const notSent = (reason: string): SendResult => ({ durationMs: 0, reason, isPermanent: true });

export function createDeliverySender(deps: DeliverySenderDeps): DeliverySender {
  const { deliveries, webhooks, now, log } = deps;
  const sending = new Set<Promise<void>>();
  const inFlight = new Map<string, number>();
  let claiming: Promise<void> | undefined;
  let isStopped = false;

  function send(delivery: ClaimedDelivery, webhook: Webhook | undefined): Promise<SendResult> | SendResult {
    if (webhook === undefined) return notSent('was deleted');
    if (!webhook.enabled) return notSent('is disabled');
    const headers = { ...signedHeaders(webhook.secrets, delivery, now()), 'content-type': 'application/json' };
    return deps.send({ url: webhook.url, headers, body: delivery.body });
  }

  /** A receiver that no longer exists must not be called again (standardwebhooks.com, "Responses"). */
  async function disable({ tenant, webhookId }: Ref): Promise<void> {
    for (let update = 0; update < MAX_UPDATES; update += 1) {
      const webhook = await webhooks.find(tenant, webhookId);
      if (!webhook?.enabled) return;
      if (await webhooks.replace({ ...webhook, enabled: false, disabledReason: GONE })) return;
    }
  }

  async function sendOne(delivery: ClaimedDelivery): Promise<void> {
    const startedAt = now();
    const result = await send(delivery, await webhooks.find(delivery.tenant, delivery.webhookId));
    if (result.status === 410) await disable(delivery);
    const outcome = outcomeOf(delivery, result, startedAt, deps.random());
    deps.onAttempt(outcome.state === 'pending' ? 'retry' : outcome.state);
    await deliveries.settle(delivery, outcome);
  }

  function start(delivery: ClaimedDelivery): void {
    const name = nameOf(delivery);
    inFlight.set(name, (inFlight.get(name) ?? 0) + 1);
    const work = sendOne(delivery)
      // The claim expires, and the delivery is sent again.
      .catch((error: unknown) => log('delivering to a webhook failed', { webhook: delivery.webhookId, error }))
      .finally(() => {
        sending.delete(work);
        const left = inFlight.get(name)! - 1;
        if (left === 0) inFlight.delete(name);
        else inFlight.set(name, left);
      });
    sending.add(work);
  }

  async function claimAll(): Promise<void> {
    for (const webhook of await deliveries.due(now())) {
      const free = Math.min(MAX_PER_WEBHOOK - (inFlight.get(nameOf(webhook)) ?? 0), MAX_CONCURRENT - sending.size);
      if (isStopped || free <= 0) continue;
      const at = now();
      for (const one of await deliveries.claim(webhook, free, at, millis(at + CLAIM_MS))) start(one);
    }
  }

  return {
    sendDue() {
      if (isStopped) return Promise.resolve();
      claiming ??= claimAll().finally(() => {
        claiming = undefined;
      });
      return claiming;
    },
    async stop() {
      isStopped = true;
      await claiming?.catch(() => undefined);
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}
