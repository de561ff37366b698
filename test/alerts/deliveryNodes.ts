// SPDX-License-Identifier: Apache-2.0
// Nodes that share a database and deliver to a receiver, on a clock that the test advances.
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { sqlWebhookDeliveries } from '../../src/platform/alerts/store/sqlWebhookDeliveries.ts';
import { sqlWebhooks } from '../../src/platform/alerts/store/sqlWebhooks.ts';
import type { Delivery } from '../../src/platform/alerts/webhooks/delivery.ts';
import { createHttpWebhook } from '../../src/platform/alerts/webhooks/httpWebhook.ts';
import type { Firing } from '../../src/platform/alerts/webhooks/pagingEvent.ts';
import type { SendOutgoing } from '../../src/platform/alerts/webhooks/ports.ts';
import { createDeliverySender } from '../../src/platform/alerts/webhooks/sendDeliveries.ts';
import { createSmtpMail, type SmtpSettings } from '../../src/platform/alerts/webhooks/smtpMail.ts';
import { newWebhookSecret, type Receiver, type Webhook } from '../../src/platform/alerts/webhooks/webhook.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.ts';

type SenderOptions = {
  readonly allow?: readonly string[];
  readonly timeoutMs?: number;
  /** Of e-mail. */
  readonly mailMs?: number;
  readonly crashes?: boolean;
  readonly firing?: readonly Firing[];
  readonly smtp?: SmtpSettings;
};

/** Registers hooks: each test begins with empty tables and a new receiver. */
export function useDeliveryNodes(openStore: () => Promise<Sql>) {
  let stores: readonly Sql[];
  let receiver: WebhookReceiver;
  let clock = millis(Date.now());
  const outcomes: string[] = [];
  beforeAll(async () => {
    stores = [await openStore(), await openStore()];
  });
  beforeEach(async () => {
    receiver = await startWebhookReceiver(() => clock);
    outcomes.length = 0;
    await stores[0]!.db.deleteFrom('webhook_deliveries').execute();
    await stores[0]!.db.deleteFrom('webhooks').execute();
  });
  afterEach(() => receiver.close());

  const of = (node: number) => ({
    deliveries: sqlWebhookDeliveries(stores[node]!),
    webhooks: sqlWebhooks(stores[node]!, createSecretBox('key')),
  });
  function sender(
    node: number,
    { allow = ['127.0.0.1'], timeoutMs = 5000, crashes = false, firing = [], smtp, mailMs = 5000 }: SenderOptions = {},
  ) {
    const guard = createEgressGuard({ allow });
    const http = createHttpWebhook(guard, { timeoutMs });
    const mail = createSmtpMail(smtp, { timeoutMs: mailMs });
    const send: SendOutgoing = (outgoing) => (outgoing.kind === 'http' ? http(outgoing) : mail(outgoing));
    const { deliveries, webhooks } = of(node);
    return createDeliverySender({
      ...{
        webhooks,
        send,
        firing: async () => firing,
        now: () => clock,
        random: () => 0.5,
        onAttempt: (outcome) => void outcomes.push(outcome),
      },
      // A process that ends after the request has been sent stores no outcome.
      deliveries: crashes ? { ...deliveries, settle: () => Promise.reject(new Error('killed')) } : deliveries,
      log: (message, { error }) => {
        if (!crashes) throw new Error(message, { cause: error });
      },
    });
  }
  /** Sends all due deliveries and waits for their outcomes. */
  async function sendAll(node = 0, how: Parameters<typeof sender>[1] = {}): Promise<void> {
    const one = sender(node, how);
    await one.sendDue();
    await one.stop();
  }
  async function add(receiver: Receiver & { readonly id: string }, grouped = false, tenant = 't'): Promise<Webhook> {
    const written = { tenant, createdBy: 'ann@example.com', createdAt: '2026-01-01T00:00:00.000Z' };
    const webhook: Webhook = { ...receiver, ...written, enabled: true, grouped };
    await of(0).webhooks.insert(webhook);
    return webhook;
  }
  async function addWebhook(path: string, url = receiver.url + path, tenant = 't') {
    const secret = newWebhookSecret();
    receiver.secrets.set(path, secret);
    const own = { type: 'webhook', id: path.slice(1), url, secrets: [{ secret }] } as const;
    await add(own, false, tenant);
    return own;
  }
  let made = 0;
  async function deliver(path: string, count = 1, tenant = 't'): Promise<void> {
    const one = () => {
      made += 1;
      const id = `msg_${made}`;
      return { id, tenant, webhookId: path.slice(1), type: 'test', body: `{"made":${made}}`, createdAt: clock };
    };
    await of(0).deliveries.add(Array.from({ length: count }, one));
  }
  const log = (path: string): Promise<Delivery[]> =>
    of(0).deliveries.list({ tenant: 't', webhookId: path.slice(1) }, 99);
  const later = (ms: number) => {
    clock = millis(clock + ms) as Millis;
  };

  return {
    ...{ of, sender, sendAll, add, addWebhook, deliver, log, later, outcomes },
    receiver: () => receiver,
    now: () => clock,
  };
}
