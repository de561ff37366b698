// SPDX-License-Identifier: Apache-2.0
// The servers of the benchmark of sizes count what is written to them.

import { Redis } from 'ioredis';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startCountedPostgres } from '../../bench/scaling/postgresFigures.ts';
import { startCountedRedis } from '../../bench/scaling/redisFigures.ts';
import { openedInTest } from '../opened.ts';

test('PostgreSQL counts rows and bytes of its log by table', async () => {
  const postgres = await openedInTest(startCountedPostgres());
  const before = await postgres.figures();
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('create table beacons (id bigint primary key, url text)');
  await client.query("insert into beacons select n, repeat('x', 100) from generate_series(1, 500) as n");
  await client.query('update beacons set url = $1 where id <= 40', ['y']);
  await client.query('delete from beacons where id <= 7');
  await client.end();
  await expect
    .poll(async () => (await postgres.figures()).tables.beacons)
    .toMatchObject({ inserted: 500, updated: 40, deleted: 7 });
  const after = await postgres.figures();
  expect(after.tables.beacons!.walBytes).toBeGreaterThan(500 * 100);
  expect(after.walBytes - before.walBytes).toBeGreaterThanOrEqual(after.tables.beacons!.walBytes);
  expect(after.cpuMs).toBeGreaterThanOrEqual(before.cpuMs);
  const { rows, bytes } = (await postgres.rowBytes()).beacons!;
  expect(rows).toBe(493);
  expect(bytes / rows).toBeGreaterThan(100);
});

test('Redis counts scripts, waits for a replica, and bytes', async () => {
  const redis = await openedInTest(startCountedRedis());
  const before = await redis.figures();
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  await client.eval("return redis.call('SET', KEYS[1], ARGV[1])", 1, 'key', 'x'.repeat(2000));
  expect(await client.wait(1, 10_000)).toBe(1);
  const after = await redis.figures();
  expect([after.calls - before.calls, after.batches - before.batches]).toEqual([1, 1]);
  expect(after.bytesIn - before.bytesIn).toBeGreaterThan(2000);
});
