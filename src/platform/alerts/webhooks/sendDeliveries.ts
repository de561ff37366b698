// SPDX-License-Identifier: Apache-2.0
// Sends due deliveries. Each is claimed before it is sent and settled afterwards, so that two nodes never send the same attempt.
// If a process dies, its claims expire, and the deliveries are sent again with the same id.
import { type Millis, millis } from '../../../time/units.ts';
import { outgoingOf, ruleOf } from './compose.ts';
import { type ClaimedDelivery, outcomeOf, type SendResult } from './delivery.ts';
import type { Firing } from './pagingEvent.ts';
import type { SendOutgoing, WebhookDeliveryStore, WebhookRef, WebhookStore } from './ports.ts';
import type { Webhook } from './webhook.ts';

type DeliverySenderDeps = {
  readonly deliveries: WebhookDeliveryStore;
  readonly webhooks: Pick<WebhookStore, 'find' | 'replace'>;
  readonly send: SendOutgoing;
  /** The alerts of a rule that fire. */
  readonly firing: (tenant: string, ruleId: string) => Promise<readonly Firing[]>;
  readonly adminUrl?: string | undefined;
  readonly now: () => Millis;
  /** @returns a number from 0 to 1 */
  readonly random: () => number;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Called after each attempt. `retry`: it is attempted again later. */
  readonly onAttempt: (outcome: 'delivered' | 'retry' | 'failed') => void;
};

/** A slow receiver delays its own deliveries only, and those of a tenant no other tenant. */
const MAX_PER_WEBHOOK = 4;
const MAX_PER_TENANT = 32;
const MAX_CONCURRENT = 128;
/** Much longer than an attempt takes. */
const CLAIM_MS = 60_000;
const MAX_UPDATES = 10;
const GONE = 'It returned status 410 (Gone).';

const nameOf = ({ tenant, webhookId }: WebhookRef): string => `${tenant}/${webhookId}`;

/** Counts by name; those at zero take no memory. */
function createTally() {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    of,
    add(name: string, change: 1 | -1): void {
      if (of(name) + change === 0) counts.delete(name);
      else counts.set(name, of(name) + change);
    },
  };
}

const notSent = (reason: string): SendResult => ({ durationMs: 0, reason, isPermanent: true });

export function createDeliverySender(deps: DeliverySenderDeps) {
  const { deliveries, webhooks, now, log } = deps;
  const sending = new Set<Promise<void>>();
  const byWebhook = createTally();
  const byTenant = createTally();
  let claiming: Promise<void> | undefined;
  let isStopped = false;

  async function send(delivery: ClaimedDelivery, webhook: Webhook | undefined): Promise<SendResult> {
    if (webhook === undefined) return notSent('was deleted');
    if (!webhook.enabled) return notSent('is disabled');
    const rule = webhook.type === 'pagerduty' ? ruleOf(delivery) : undefined;
    const firing = rule === undefined ? undefined : await deps.firing(delivery.tenant, rule);
    const outgoing = outgoingOf(delivery, webhook, { now: now(), adminUrl: deps.adminUrl, firing });
    if (outgoing.kind === 'obsolete') return { durationMs: 0, reason: outgoing.reason, isObsolete: true };
    return deps.send(outgoing);
  }

  /** A receiver that no longer exists must not be called again (standardwebhooks.com, "Responses"). */
  async function disable({ tenant, webhookId }: WebhookRef): Promise<void> {
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
    const count = (change: 1 | -1): void => {
      byWebhook.add(nameOf(delivery), change);
      byTenant.add(delivery.tenant, change);
    };
    count(1);
    const work = sendOne(delivery)
      // The claim expires, and the delivery is sent again.
      .catch((error: unknown) => log('delivering to a webhook failed', { webhook: delivery.webhookId, error }))
      .finally(() => {
        sending.delete(work);
        count(-1);
      });
    sending.add(work);
  }

  const freeFor = (webhook: WebhookRef): number =>
    Math.min(
      MAX_PER_WEBHOOK - byWebhook.of(nameOf(webhook)),
      MAX_PER_TENANT - byTenant.of(webhook.tenant),
      MAX_CONCURRENT - sending.size,
    );

  async function claimAll(): Promise<void> {
    const due = await deliveries.due(now());
    // Tenants and webhooks with the fewest attempts in flight come first, so that each of them gets its turn.
    const order = due.toSorted(
      (a, b) => byTenant.of(a.tenant) - byTenant.of(b.tenant) || byWebhook.of(nameOf(a)) - byWebhook.of(nameOf(b)),
    );
    for (const webhook of order) {
      const free = freeFor(webhook);
      if (isStopped || free <= 0) continue;
      const at = now();
      for (const one of await deliveries.claim(webhook, free, at, millis(at + CLAIM_MS))) start(one);
    }
  }

  return {
    /** Starts to send due deliveries; does not wait until they are sent. */
    sendDue(): Promise<void> {
      if (isStopped) return Promise.resolve();
      claiming ??= claimAll().finally(() => {
        claiming = undefined;
      });
      return claiming;
    },
    /** Claims no more; resolves when all claimed deliveries are settled. */
    async stop(): Promise<void> {
      isStopped = true;
      await claiming?.catch(() => undefined);
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}
