// SPDX-License-Identifier: Apache-2.0
// Deliveries from nodes that share a database.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newWebhookSecret, rotateSecrets } from '../../src/platform/alerts/webhooks/webhook.ts';
import { scratchFolder } from '../opened.ts';
import { onEachStoreIn } from '../servers/sqlStores.ts';
import { useDeliveryNodes } from './deliveryNodes.ts';

const folder = scratchFolder();

onEachStoreIn(folder, (openStore) => {
  const { of, sender, sendAll, addWebhook, deliver, log, later, outcomes, receiver, now } = useDeliveryNodes(openStore);

  test('a delivery is signed, and retried with the same id and body until it succeeds', async () => {
    await addWebhook('/flaky');
    receiver().respond('/flaky', (response, nth) => void response.writeHead(nth < 3 ? 503 : 200).end('no\u0000 room'));
    await deliver('/flaky');
    expect(await of(0).deliveries.backlog(now())).toEqual({ due: 1, retrying: 0, oldestDue: now() });
    await sendAll();
    expect(await of(0).deliveries.backlog(now())).toEqual({ due: 0, retrying: 1 });
    expect(await log('/flaky')).toMatchObject([
      { state: 'pending', attempts: 1, log: [{ status: 503, excerpt: 'no room' }] },
    ]);
    later(4000);
    await sendAll();
    expect(receiver().received).toHaveLength(1);
    later(2000);
    await sendAll();
    later(30_000);
    await sendAll();
    const received = receiver().at('/flaky');
    expect(received.map(({ isVerified }) => isVerified)).toEqual([true, true, true]);
    expect(new Set(received.map(({ id, message }) => `${id} ${message.made}`)).size).toBe(1);
    const [settled] = await log('/flaky');
    expect(settled).toMatchObject({ state: 'delivered', attempts: 3, log: [{}, {}, { status: 200 }] });
    expect(settled!.log[2]).not.toHaveProperty('excerpt');
    expect(outcomes).toEqual(['retry', 'retry', 'delivered']);
    expect(await of(0).deliveries.backlog(now())).toEqual({ due: 0, retrying: 0 });
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
    expect(receiver().received).toHaveLength(60);
    expect(new Set(receiver().received.map(({ id }) => id)).size).toBe(60);
  });

  test('a delivery whose node ended during the attempt is sent again by another', async () => {
    await addWebhook('/killed');
    await deliver('/killed');
    await sendAll(0, { crashes: true });
    await sendAll(1);
    expect(receiver().received).toHaveLength(1);
    later(60_000);
    await sendAll(1);
    expect(receiver().received.map(({ id }) => id)).toEqual([receiver().received[0]!.id, receiver().received[0]!.id]);
    expect(await log('/killed')).toMatchObject([{ state: 'delivered', attempts: 2, log: [{}, { status: 204 }] }]);
  });

  test('a receiver() that is gone is disabled, and its other deliveries are not sent', async () => {
    await addWebhook('/gone');
    receiver().respond('/gone', (response) => void response.writeHead(410).end());
    await deliver('/gone');
    await sendAll();
    expect(await of(1).webhooks.find('t', 'gone')).toMatchObject({
      enabled: false,
      disabledReason: expect.any(String),
    });
    await deliver('/gone');
    await sendAll();
    expect(receiver().received).toHaveLength(1);
    expect((await log('/gone')).map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  test('during a rotation, both secrets verify a delivery', async () => {
    const webhook = await addWebhook('/rotated');
    const secrets = rotateSecrets(webhook.secrets, newWebhookSecret(), now(), 60_000);
    const [stored] = await of(0).webhooks.list('t');
    await of(0).webhooks.replace({ ...stored!, ...webhook, secrets });
    await deliver('/rotated');
    await sendAll();
    receiver().secrets.set('/rotated', secrets[0]!.secret);
    await deliver('/rotated');
    await sendAll();
    expect(receiver().received).toMatchObject([
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
