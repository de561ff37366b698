// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { createSecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import { millis } from '../../../time/units.ts';
import type { NewDelivery } from '../webhooks/delivery.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { sqlWebhookDeliveries } from './sqlWebhookDeliveries.ts';
import { sqlWebhooks } from './sqlWebhooks.ts';

const webhook = { tenant: 't', webhookId: 'w' };
const delivery = (number: number, more: Partial<NewDelivery> = {}): NewDelivery => ({
  id: `msg_${number}`,
  ...webhook,
  type: 'test',
  body: '{"a":1}',
  createdAt: millis(number),
  ...more,
});

onEachOpenStore((sql) => {
  const store = sqlWebhookDeliveries(sql);
  beforeEach(() => sql.db.deleteFrom('webhook_deliveries').execute());
  const list = () => store.list(webhook, 99);

  test('a delivery is stored once and claimed by one process', async () => {
    await store.add([delivery(1), delivery(2)]);
    await store.add([delivery(1, { body: 'other' })]);
    expect(await store.due(millis(0))).toEqual([]);
    expect(await store.due(millis(2))).toEqual([webhook]);
    const claims = await Promise.all([1, 2, 3].map(() => store.claim(webhook, 9, millis(2), millis(60))));
    const claimed = claims.flat();
    expect(claimed.map(({ id }) => id).sort()).toEqual(['msg_1', 'msg_2']);
    expect(claimed[0]).toMatchObject({ body: '{"a":1}', attempts: 1, tries: 1, log: [] });
    expect(await store.due(millis(59))).toEqual([]);
  });

  test('an event is added to one delivery of its group, also if two nodes have begun the group at once', async () => {
    await store.add([delivery(1, { group: 'one' }), delivery(2, { group: 'two' })]);
    await sql.db.updateTable('webhook_deliveries').set({ group_key: 'one' }).execute();
    await store.add([delivery(3, { group: 'one', body: '{"b":1}' })]);
    expect((await list()).map(({ body }) => body).sort()).toEqual(['{"a":1}', '{"a":1},{"b":1}']);
  });

  test('a claim that was not settled expires, and a late outcome does not replace that of the next claim', async () => {
    await store.add([delivery(1)]);
    const [first] = await store.claim(webhook, 9, millis(1), millis(60));
    const [second] = await store.claim(webhook, 9, millis(60), millis(120));
    expect(second).toMatchObject({ id: 'msg_1', attempts: 2, log: [{ at: 60, reason: expect.any(String) }] });
    await store.settle(first!, { state: 'delivered', attempt: { at: millis(61), status: 200 } });
    expect(await list()).toMatchObject([{ state: 'pending' }]);
    const dueAt = millis(500);
    await store.settle(second!, { state: 'pending', dueAt, attempt: { at: millis(62), status: 503 } });
    expect(await list()).toMatchObject([{ state: 'pending', dueAt, log: [{}, { status: 503 }] }]);
    const [third] = await store.claim(webhook, 9, dueAt, millis(600));
    await store.settle(third!, { state: 'delivered', attempt: { at: dueAt, status: 204 } });
    const [settled] = await list();
    expect(settled).toMatchObject({ state: 'delivered', attempts: 3, log: [{}, { status: 503 }, { status: 204 }] });
    expect(settled).not.toHaveProperty('dueAt');
  });

  test('a delivery is sent again by hand, unless it is being sent', async () => {
    await store.add([delivery(1)]);
    const [claimed] = await store.claim(webhook, 9, millis(1), millis(60));
    expect(await store.retry('t', 'w', 'msg_1', millis(2))).toBe(false);
    await store.settle(claimed!, { state: 'failed', attempt: { at: millis(2), status: 410 } });
    expect(await store.retry('other', 'w', 'msg_1', millis(3))).toBe(false);
    expect(await store.retry('t', 'w', 'msg_1', millis(3))).toBe(true);
    const [again] = await store.claim(webhook, 9, millis(3), millis(60));
    expect(again).toMatchObject({ id: 'msg_1', attempts: 2, tries: 1, queuedAt: 3, log: [{ status: 410 }] });
  });

  test('the log has pages and a filter, and old deliveries are deleted', async () => {
    await store.add([1, 2, 3, 4, 5].map((number) => delivery(number)));
    await store.add([delivery(6, { webhookId: 'other' })]);
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
    const [first, second] = await store.list(webhook, 2);
    expect(ids([first!, second!])).toEqual(['msg_5', 'msg_4']);
    expect(ids(await store.list({ ...webhook, before: second!.seq }, 2))).toEqual(['msg_3', 'msg_2']);
    expect(await store.list({ ...webhook, state: 'failed' }, 9)).toEqual([]);
    await store.removeOld(millis(2), 3);
    expect(ids(await list())).toEqual(['msg_5', 'msg_4', 'msg_3']);
    expect(await store.find('t', 'other', 'msg_6')).toMatchObject({ id: 'msg_6' });
  });

  test('secrets are encrypted, and a webhook is removed with its deliveries', async () => {
    const webhooks = sqlWebhooks(sql, createSecretBox('key'));
    const secrets = [{ secret: 'whsec_c2VjcmV0' }];
    const one = { tenant: 't', id: 'w', url: 'https://a.test', enabled: true, secrets } as unknown as Webhook;
    await webhooks.insert(one);
    const { body } = await sql.db.selectFrom('webhooks').select('body').executeTakeFirstOrThrow();
    expect(body).not.toContain('c2VjcmV0');
    expect(await webhooks.list('t')).toMatchObject([{ id: 'w', secrets, version: 0 }]);
    await store.add([delivery(1)]);
    expect([await webhooks.remove('t', 'w', 7), await list()]).toMatchObject([false, [{}]]);
    expect([await webhooks.remove('t', 'w'), await list()]).toEqual([true, []]);
  });
});
