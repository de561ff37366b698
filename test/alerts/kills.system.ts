// SPDX-License-Identifier: Apache-2.0
// kill -9 while a webhook has received an event and has not responded: after a restart it receives the event again, with the
// same id and body, and no event is lost or made twice. One node on a file, and two nodes on one PostgreSQL database.
import { test } from 'vitest';
import { startMidroll } from '../live/midroll.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { startWebhookReceiver } from './webhookReceiver.ts';

const database = await opened(createDatabase());
const settings = { DATABASE_URL: database.url, DATA_DIR: scratchFolder(), ROLE: 'serve' };
const alone = [await opened(startMidroll())];
// One after the other: the first one migrates the database.
const together = [await opened(startMidroll(settings)), await opened(startMidroll(settings))];

test.concurrent.for([
  ['one node', alone],
  ['two nodes', together],
] as const)('%s killed during a delivery', async ([, nodes], { expect, onTestFinished }) => {
  const receiver = await startWebhookReceiver();
  onTestFinished(receiver.close);
  const [first, last] = [nodes[0]!, nodes.at(-1)!];

  const { json } = await first.api('POST', '/webhooks', { id: 'ops', url: `${receiver.url}/ops` });
  receiver.secrets.set('/ops', json.secret);
  receiver.respond('/ops', (response, nth) => {
    if (nth > 1) response.writeHead(204).end();
  });
  const rule = { id: 'air', kind: 'off-air', forMinutes: 1, webhooks: ['ops'] };
  expect((await first.api('POST', '/alert-rules', rule)).status).toBe(201);
  await first.create('channels', { id: 'empty', state: 'enabled' });
  await expect.poll(() => receiver.received.length).toBe(1);
  await Promise.all(nodes.map((node) => node.kill()));
  await Promise.all(nodes.map((node) => node.restart()));

  await expect.poll(() => receiver.received.length).toBe(2);
  const [before, after] = receiver.received;
  expect(before).toMatchObject({ isVerified: true, message: { type: 'alert.firing' } });
  expect(after).toEqual(before);
  const log = async () => (await last.api('GET', '/webhooks/ops/deliveries')).json;
  const delivered = { id: before!.id, state: 'delivered', attempts: 2 };
  await expect.poll(log).toMatchObject([{ ...delivered, log: [{ reason: expect.any(String) }, { status: 204 }] }]);
  expect((await last.api('GET', '/events')).json).toEqual([before!.message.data]);

  await first.api('PATCH', '/channels/empty', { state: 'disabled' });
  await expect.poll(() => receiver.received.length).toBe(3);
  expect(receiver.received[2]).toMatchObject({
    isVerified: true,
    message: { type: 'alert.resolved', data: { alert: before!.message.data.id } },
  });
  await expect.poll(log).toMatchObject([{ state: 'delivered', attempts: 1 }, delivered]);
  expect((await last.api('GET', '/events')).json).toHaveLength(2);
  expect(receiver.received).toHaveLength(3);
  expect(nodes.flatMap((node) => node.bugs())).toEqual([]);
});
