// SPDX-License-Identifier: Apache-2.0
// Breaks by hand that are ordered at two nodes on one PostgreSQL at once, and while it does not respond.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { startFreezingProxyOf } from '../servers/freezingProxy.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { clientOf } from './client.ts';
import { expectError } from './expectError.ts';

const PATH = '/api/v2/channels/shared/breaks';
const database = await opened(createDatabase());
const proxy = await opened(startFreezingProxyOf(database.url));
const first = await opened(startAdmin({ databaseUrl: proxy.url }));
const second = await opened(startAdmin({ databaseUrl: proxy.url }));
const nodes = [first, second];
const calls = nodes.map(({ app }) => clientOf(app, first.key));
beforeAll(() => calls[0]!('POST', '/api/v2/channels', { id: 'shared', type: 'live' }));
afterAll(proxy.thaw);

/** So many orders at once, at the nodes in turn. */
const orders = (count: number, body: (index: number) => object, headers = {}) =>
  Promise.all(Array.from({ length: count }, (_, index) => calls[index % 2]!('POST', PATH, body(index), headers)));
const list = async (node: number) =>
  (await calls[node]!('GET', PATH)).json.items as { sourceId: string; state: string }[];

test('of requests with one key at both nodes, exactly one inserts a break', async () => {
  const all = await orders(40, () => ({ duration: 30 }), { 'idempotency-key': 'half-time' });
  expect(all.map(({ status }) => status).sort()).toEqual([...Array(39).fill(200), 201]);
  expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  expect(await list(0)).toHaveLength(1);
  expect(await list(1)).toEqual(await list(0));
});

test('inserts, ends and cancellations at both nodes at once agree', async () => {
  const startsAt = new Date(Date.now() + 600_000).toISOString();
  for (let round = 0; round < 5; round += 1) {
    const [id, later] = [`dark${round}`, `later${round}`];
    const insertions = [
      { id, kind: 'blackout' },
      { id: later, duration: 5, startsAt },
    ];
    const inserted = await orders(8, (index) => insertions[Math.floor(index / 2) % 2]!);
    expect(inserted.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 201, 201]);
    const changed = await orders(
      8,
      (index) =>
        [
          { action: 'end', id },
          { action: 'cancel', id: later },
        ][Math.floor(index / 2) % 2]!,
    );
    // One that loses too many races is a 409, whose request may be repeated.
    for (const { status } of changed) expect([200, 409]).toContain(status);
    const states = await orders(
      4,
      (index) =>
        [
          { action: 'end', id },
          { action: 'cancel', id: later },
        ][Math.floor(index / 2)]!,
    );
    expect(states.map(({ status, json }) => [status, json.state])).toEqual([
      ...[
        [200, 'ended'],
        [200, 'ended'],
        [200, 'cancelled'],
        [200, 'cancelled'],
      ],
    ]);
    expect((await list(round % 2)).filter(({ sourceId }) => [id, later].includes(sourceId))).toMatchObject([
      { state: 'ended' },
    ]);
  }
  expect(await list(1)).toEqual(await list(0));
});

test('while the database does not respond, orders are refused, and a repetition inserts one break', async () => {
  const bodies = [
    { id: 'outage', duration: 30 },
    { action: 'end', id: 'outage' },
    { action: 'end' },
    { action: 'cancel', id: 'outage' },
  ];
  proxy.freeze();
  const pending = [
    ...bodies.map((body, index) => calls[index % 2]!('POST', PATH, body)),
    ...['breaks', 'origin-events'].map((of) => calls[1]!('GET', `/api/v2/channels/shared/${of}`)),
  ];
  for (const reply of await Promise.all(pending)) expectError(reply, 503, 'UNAVAILABLE');
  proxy.thaw();
  const insert = () => calls[0]!('POST', PATH, bodies[0]);
  // A node needs a moment to connect again.
  await expect.poll(async () => (await insert()).status).toBeLessThan(300);
  expect((await list(1)).filter(({ sourceId }) => sourceId === 'outage')).toHaveLength(1);
  expect(await calls[1]!('POST', PATH, bodies[0])).toMatchObject({ status: 200 });
  expect((await calls[1]!('POST', PATH, bodies[1])).json).toMatchObject({ id: 'outage', state: 'ended' });
  for (const line of nodes.flatMap(({ logged }) => logged)) expect(JSON.parse(line).status).not.toBe(500);
});
