// SPDX-License-Identifier: Apache-2.0
// kill -9 while a webhook has received an event and has not responded: after a restart it receives the event again, with the
// same id and body, and no event is lost or made twice. One node on a file, and two nodes on one PostgreSQL database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { type Midroll, startMidroll } from '../live/midroll.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { startWebhookReceiver } from './webhookReceiver.ts';

const endings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});

async function startNodes(count: number): Promise<Midroll[]> {
  if (count === 1) return [await startMidroll()];
  const database = await createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'midroll-alert-kills-'));
  endings.push(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder, ROLE: 'serve' };
  const nodes: Midroll[] = [];
  // One after the other: the first one migrates the database.
  while (nodes.length < count) nodes.push(await startMidroll(settings));
  return nodes;
}

test.concurrent.for([
  ['one node', 1],
  ['two nodes', 2],
] as const)('%s killed during a delivery', async ([, count], { expect }) => {
  const receiver = await startWebhookReceiver();
  endings.push(receiver.close);
  const nodes = await startNodes(count);
  for (const node of nodes) endings.push(node.close);
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
