// SPDX-License-Identifier: Apache-2.0
// kill -9 of both nodes after alerts were stored and before their group was sent: after a restart, the receiver gets one message
// with all of them. People acknowledge and silence on one node while the other evaluates.
import { expect, test } from 'vitest';
import { type Midroll, startMidroll } from '../live/midroll.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { startWebhookReceiver } from './webhookReceiver.ts';

const folder = scratchFolder();
const [postgres, receiver] = await Promise.all([opened(createDatabase()), opened(startWebhookReceiver())]);
const settings = { DATABASE_URL: postgres.url, DATA_DIR: folder, ROLE: 'serve' };
const one = await opened(startMidroll(settings));
const two = await opened(startMidroll(settings));
const nodes = [one, two];

test('a group of two nodes that are killed before it is sent is one message, with all of its alerts', async () => {
  const { json } = await one.api('POST', '/webhooks', { id: 'team', url: `${receiver.url}/team`, grouped: true });
  receiver.secrets.set('/team', json.secret);
  const ids = ['a', 'b', 'c'];
  for (const id of ids) await one.create('channels', { id, state: 'enabled' });
  const rule = { id: 'air', kind: 'off-air', forMinutes: 1, webhooks: ['team'], repeatMinutes: 5 };
  expect((await two.api('POST', '/alert-rules', rule)).status).toBe(201);
  await expect.poll(async () => (await two.api('GET', '/events')).json.length).toBe(3);
  await Promise.all(nodes.map((node) => node.kill()));
  expect(receiver.received).toEqual([]);
  await Promise.all(nodes.map((node) => node.restart()));

  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ isVerified, message }] = receiver.received as [(typeof receiver.received)[0]];
  expect([isVerified, message]).toMatchObject([true, { type: 'alerts.firing', data: { count: 3 } }]);
  // biome-ignore lint/suspicious/noExplicitAny: events
  expect(message.data.events.map(({ channel }: any) => channel.id).toSorted()).toEqual(ids);

  const { json: alerts } = await two.api('GET', '/alerts?state=firing');
  for (const { id } of alerts) expect((await two.api('POST', `/alerts/${id}/acknowledge`)).status).toBe(200);
  const acknowledged = async (node: Midroll) =>
    (await node.api('GET', '/alerts')).json.filter((alert: { acknowledged?: object }) => alert.acknowledged).length;
  expect(await acknowledged(one)).toBe(3);

  await two.api('PATCH', '/channels/a', { state: 'disabled' });
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[1]).toMatchObject({ message: { type: 'alerts.resolved', data: { count: 1 } } });
  // The evaluations in between have kept what people did.
  expect(await acknowledged(one)).toBe(2);
  expect(nodes.flatMap((node) => node.bugs())).toEqual([]);
});
