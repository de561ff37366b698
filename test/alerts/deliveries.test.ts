// SPDX-License-Identifier: Apache-2.0
// Deliveries to receivers of every kind, from nodes that share a database.
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createHttpWebhook } from '../../src/adapters/http/httpWebhook.ts';
import { sqlWebhookDeliveries } from '../../src/adapters/sql/alerts/sqlWebhookDeliveries.ts';
import { sqlWebhooks } from '../../src/adapters/sql/alerts/sqlWebhooks.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { createSecretBox } from '../../src/adapters/sql/tenants/secretBox.ts';
import type { Delivery } from '../../src/alerts/webhooks/delivery.ts';
import { createDeliverySender } from '../../src/alerts/webhooks/sendDeliveries.ts';
import { newWebhookSecret, rotateSecrets, type Webhook } from '../../src/alerts/webhooks/webhook.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { onEachStoreIn } from '../servers/sqlStores.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'midroll-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

onEachStoreIn(folder, (openStore) => {
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
  function sender(node: number, { allow = ['127.0.0.1'], timeoutMs = 5000, crashes = false } = {}) {
    const guard = createEgressGuard({ allow });
    const send = createHttpWebhook(guard, { timeoutMs });
    const { deliveries, webhooks } = of(node);
    return createDeliverySender({
      ...{ webhooks, send, now: () => clock, random: () => 0.5, onAttempt: (outcome) => void outcomes.push(outcome) },
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
  async function addWebhook(path: string, url = receiver.url + path, tenant = 't'): Promise<Webhook> {
    const secret = newWebhookSecret();
    receiver.secrets.set(path, secret);
    const webhook = { tenant, id: path.slice(1), url, enabled: true, secrets: [{ secret }] } as unknown as Webhook;
    await of(0).webhooks.insert(webhook);
    return webhook;
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

  test('a delivery is signed, and retried with the same id and body until it succeeds', async () => {
    await addWebhook('/flaky');
    receiver.respond('/flaky', (response, nth) => void response.writeHead(nth < 3 ? 503 : 200).end('no\u0000 room'));
    await deliver('/flaky');
    expect(await of(0).deliveries.backlog(clock)).toEqual({ due: 1, retrying: 0, oldestDue: clock });
    await sendAll();
    expect(await of(0).deliveries.backlog(clock)).toEqual({ due: 0, retrying: 1 });
    expect(await log('/flaky')).toMatchObject([
      { state: 'pending', attempts: 1, log: [{ status: 503, excerpt: 'no room' }] },
    ]);
    later(4000);
    await sendAll();
    expect(receiver.received).toHaveLength(1);
    later(2000);
    await sendAll();
    later(30_000);
    await sendAll();
    const received = receiver.at('/flaky');
    expect(received.map(({ isVerified }) => isVerified)).toEqual([true, true, true]);
    expect(new Set(received.map(({ id, message }) => `${id} ${message.made}`)).size).toBe(1);
    const [settled] = await log('/flaky');
    expect(settled).toMatchObject({ state: 'delivered', attempts: 3, log: [{}, {}, { status: 200 }] });
    expect(settled!.log[2]).not.toHaveProperty('excerpt');
    expect(outcomes).toEqual(['retry', 'retry', 'delivered']);
    expect(await of(0).deliveries.backlog(clock)).toEqual({ due: 0, retrying: 0 });
  });

  test('two nodes send each delivery once', async () => {
    await addWebhook('/shared');
    await deliver('/shared', 60);
    const senders = [sender(0), sender(1)];
    const isOver = async () => (await log('/shared')).every(({ state }) => state === 'delivered');
    while (!(await isOver())) {
      await Promise.all(senders.map((one) => one.sendDue()));
      await sleep(1);
    }
    await Promise.all(senders.map((one) => one.stop()));
    expect(receiver.received).toHaveLength(60);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(60);
  });

  test('a delivery whose node ended during the attempt is sent again by another', async () => {
    await addWebhook('/killed');
    await deliver('/killed');
    await sendAll(0, { crashes: true });
    await sendAll(1);
    expect(receiver.received).toHaveLength(1);
    later(60_000);
    await sendAll(1);
    expect(receiver.received.map(({ id }) => id)).toEqual([receiver.received[0]!.id, receiver.received[0]!.id]);
    expect(await log('/killed')).toMatchObject([{ state: 'delivered', attempts: 2, log: [{}, { status: 204 }] }]);
  });

  test('a receiver that is gone is disabled, and its other deliveries are not sent', async () => {
    await addWebhook('/gone');
    receiver.respond('/gone', (response) => void response.writeHead(410).end());
    await deliver('/gone');
    await sendAll();
    expect(await of(1).webhooks.find('t', 'gone')).toMatchObject({
      enabled: false,
      disabledReason: expect.any(String),
    });
    await deliver('/gone');
    await sendAll();
    expect(receiver.received).toHaveLength(1);
    expect((await log('/gone')).map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  test('redirects are not followed', async () => {
    await addWebhook('/moved');
    receiver.respond('/moved', (response) => void response.writeHead(307, { location: '/elsewhere' }).end());
    await deliver('/moved');
    await sendAll();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/moved']);
    expect(await log('/moved')).toMatchObject([{ state: 'pending', log: [{ status: 307 }] }]);
  });

  test('receivers that never respond, or are dead, delay no other', async () => {
    await addWebhook('/slow');
    await addWebhook('/dead', 'http://127.0.0.1:9/');
    await addWebhook('/quick');
    receiver.respond('/slow', () => {});
    for (const path of ['/slow', '/dead', '/quick']) await deliver(path);
    const one = sender(0, { timeoutMs: 500 });
    await one.sendDue();
    await expect.poll(() => receiver.at('/quick').length).toBe(1);
    await one.stop();
    for (const path of ['/slow', '/dead']) {
      const [attempt] = (await log(path))[0]!.log;
      expect(attempt).toEqual({ at: clock, durationMs: expect.any(Number), reason: expect.any(String) });
    }
    expect(await log('/quick')).toMatchObject([{ state: 'delivered' }]);
  });

  test('a tenant whose receivers never respond delays no other tenant', async () => {
    for (let nth = 0; nth < 40; nth += 1) {
      await addWebhook(`/hangs-${nth}`, `${receiver.url}/hangs`, 'a');
      await deliver(`/hangs-${nth}`, 4, 'a');
    }
    receiver.respond('/hangs', () => {});
    await addWebhook('/quick', `${receiver.url}/quick`, 'z');
    await deliver('/quick', 1, 'z');
    const one = sender(0, { timeoutMs: 300_000 });
    await one.sendDue();
    await expect.poll(() => receiver.at('/quick').length).toBe(1);
    const held = receiver.at('/hangs').length;
    expect([held > 0, held < 160]).toEqual([true, true]);
    receiver.endConnections();
    await one.stop();
  });

  test('responses of one byte at a time, and endless headers, end at the deadline', async () => {
    const drip = (response: ServerResponse, next: () => string): void => {
      const timer = setInterval(() => response.socket?.write(next()), 20);
      response.on('close', () => clearInterval(timer));
    };
    const slowHeaders = 'HTTP/1.1 200 OK\r\n'.padEnd(10_000, 'x');
    let at = 0;
    receiver.respond('/header', (response) => drip(response, () => slowHeaders[at++]!));
    receiver.respond('/informed', (response) => drip(response, () => 'HTTP/1.1 103 Early Hints\r\n\r\n'));
    receiver.respond('/body', (response) => {
      response.writeHead(500, { 'content-length': 1_000_000 }).flushHeaders();
      drip(response, () => 'x');
    });
    receiver.respond(
      '/headers',
      (response) => void response.socket?.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(50_000)}`),
    );
    receiver.respond('/garbage', (response) => void response.socket?.end('220 mail.example ESMTP\r\n'));
    for (const path of ['/header', '/informed', '/body', '/headers', '/garbage']) {
      await addWebhook(path);
      await deliver(path);
    }
    await sendAll(0, { timeoutMs: 700 });
    for (const path of ['/header', '/informed', '/headers', '/garbage']) {
      const [{ state, log: attempts }] = (await log(path)) as [Delivery];
      expect([path, state, attempts]).toEqual([
        path,
        'pending',
        [{ at: clock, durationMs: expect.any(Number), reason: expect.any(String) }],
      ]);
    }
    expect(await log('/body')).toMatchObject([
      { state: 'pending', log: [{ status: 500, excerpt: expect.stringMatching(/^x+$/) }] },
    ]);
  });

  test.each([
    ['127.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['0x7f.0.0.1', 'loopback'],
    ['0177.0.0.1', 'loopback'],
    ['0', 'unspecified'],
    ['localhost', 'loopback'],
    ['10.0.0.1', 'private'],
    ['169.254.169.254', 'link local'],
    ['[::1]', 'loopback'],
    ['[::ffff:169.254.169.254]', 'link local'],
    ['[fe80::1]', 'link local'],
    ['[fd00:ec2::254]', 'unique local'],
    ['[64:ff9b::a9fe:a9fe]', 'rfc6052'],
  ])('%s is not connected to', async (host, range) => {
    await addWebhook('/target', `http://${host}:${new URL(receiver.url).port}/target`);
    await deliver('/target');
    await sendAll(0, { allow: [] });
    expect(receiver.received).toEqual([]);
    const [{ log: attempts }] = (await log('/target')) as [Delivery];
    expect(attempts).toMatchObject([{ reason: expect.stringMatching(`(?=.*${range})(?=.*EGRESS_ALLOW)`) }]);
  });

  test('of an endless response, only the start is read', async () => {
    for (const [path, status] of [
      ['/endless', 500],
      ['/endlessly-well', 200],
    ] as const) {
      await addWebhook(path);
      receiver.respond(path, (response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.writeHead(status).on('drain', more);
        more();
      });
      await deliver(path);
    }
    await sendAll();
    const [failed] = await log('/endless');
    expect(failed).toMatchObject({ state: 'pending', log: [{ status: 500 }] });
    expect(failed!.log[0]!.excerpt).toHaveLength(500);
    expect(await log('/endlessly-well')).toMatchObject([{ state: 'delivered' }]);
  });

  test('addresses that are not public need EGRESS_ALLOW', async () => {
    await addWebhook('/private');
    await deliver('/private');
    await sendAll(0, { allow: [] });
    expect(receiver.received).toEqual([]);
    expect(await log('/private')).toMatchObject([
      { state: 'pending', log: [{ reason: expect.stringContaining('EGRESS_ALLOW') }] },
    ]);
  });

  test('during a rotation, both secrets verify a delivery', async () => {
    const webhook = await addWebhook('/rotated');
    const secrets = rotateSecrets(webhook.secrets, newWebhookSecret(), clock, 60_000);
    await of(0).webhooks.replace({ ...webhook, secrets, version: 0 });
    await deliver('/rotated');
    await sendAll();
    receiver.secrets.set('/rotated', secrets[0]!.secret);
    await deliver('/rotated');
    await sendAll();
    expect(receiver.received).toMatchObject([
      { isVerified: true, signatures: 2 },
      { isVerified: true, signatures: 2 },
    ]);
  });

  test('a delivery of a deleted webhook is not sent', async () => {
    await deliver('/deleted');
    await sendAll();
    expect(await log('/deleted')).toMatchObject([{ state: 'failed' }]);
  });
});
