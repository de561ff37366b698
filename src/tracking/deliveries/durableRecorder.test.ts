// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { delivery, setUpRecording } from '../../../test/tracking/deliveryProcesses.ts';

test.each(['failing', 'hanging'] as const)('deliveries survive the process if the store is %s', async (state) => {
  const { store, start, logged } = setUpRecording();
  store.state = state;
  const killed = start();
  for (const segment of [0, 1, 2]) await killed.record(delivery(segment));
  const next = start();
  if (state === 'failing') await next.retry();
  else {
    void killed.retry();
    await expect.poll(() => store.attempts).toBe(1);
  }
  expect(logged).toEqual(state === 'failing' ? [{ error: expect.anything() }] : []);
  expect(store.written).toEqual([]);
  store.state = 'available';
  await next.retry();
  await next.retry();
  await start().retry();
  expect(store.written).toEqual(['v0', 'v1', 'v2']);
});

test('while the store is unavailable, only retries write to it, not every request', async () => {
  const { store, start } = setUpRecording();
  store.state = 'failing';
  const { record, retry } = start();
  for (let segment = 0; segment < 50; segment += 1) await record(delivery(segment));
  await retry();
  const first = store.attempts;
  for (let segment = 50; segment < 100; segment += 1) await record(delivery(segment));
  expect(store.attempts).toBe(first);
  store.state = 'available';
  await record(delivery(100));
  expect(store.written).toEqual([]);
  await retry();
  expect(new Set(store.written).size).toBe(101);
});

test('deliveries that arrive during a retry are kept for the next one, and none is lost', async () => {
  const { store, start, folder } = setUpRecording();
  store.state = 'failing';
  const { record, retry } = start();
  await record(delivery(0));
  store.state = 'available';
  const late = Promise.all([1, 2, 3].map((segment) => record(delivery(segment))));
  await Promise.all([retry(), late]);
  await retry();
  expect([...store.written].sort()).toEqual(['v0', 'v1', 'v2', 'v3']);
  expect(readdirSync(folder)).toEqual([]);
});

test('a torn line and expired sessions do not block other deliveries', async () => {
  const { store, start, logged, folder, leaveEntries } = setUpRecording();
  await leaveEntries([delivery(0), delivery(1, 'expired'), delivery(2)]);
  appendFileSync(join(folder, readdirSync(folder)[0]!), '{"sessionId":"v","adId"');
  await start().retry();
  expect(store.written).toEqual(['v0', 'v2']);
  expect(logged.at(-1)).toEqual({ deliveries: 1 });
});

test('the oldest entry is discarded if the journal is full during an outage', async () => {
  const { store, start, logged } = setUpRecording();
  store.state = 'failing';
  const { record, retry } = start({ maxBytes: 2000 });
  await record(delivery(0));
  await retry();
  await record(delivery(1));
  expect(logged.at(-1)).toEqual({ entries: 1 });
  store.state = 'available';
  await retry();
  expect(store.written).toEqual(['v1']);
});

test('while the store is available, requests wait for room in a full journal, and nothing is discarded', async () => {
  const { store, start, count } = setUpRecording();
  const { record, retry } = start({ maxBytes: 2000 });
  await record(delivery(0));
  const order: string[] = [];
  const second = record(delivery(1)).then(() => order.push('acknowledged'));
  await expect.poll(() => count.writes).toBe(2);
  await retry().then(() => order.push('round'));
  await second;
  expect(order).toEqual(['round', 'acknowledged']);
  await retry();
  expect(store.written).toEqual(['v0', 'v1']);
});

test('a repeated request costs nothing', async () => {
  const { store, start } = setUpRecording();
  const { record, retry } = start();
  await record(delivery(0));
  await retry();
  for (let repeat = 0; repeat < 3; repeat += 1) await record(delivery(0));
  await retry();
  expect(store).toMatchObject({ attempts: 1, written: ['v0'] });
});

test('if the disk fails, deliveries wait in memory, up to a limit', async () => {
  const { store, start, folder } = setUpRecording();
  const path = join(folder, 'file');
  writeFileSync(path, '');
  store.state = 'failing';
  const { record, retry } = start({ path });
  for (const segment of [0, 1, 2]) await record(delivery(segment));
  await expect(record(delivery(3))).rejects.toThrow('EEXIST');
  store.state = 'available';
  await retry().catch(() => {});
  await retry().catch(() => {});
  expect(store.written).toEqual(['v0', 'v1', 'v2']);
});
