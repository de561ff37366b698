// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { openSqlite } from '../../database.ts';
import { sqlRequestWindows } from '../../platform/access/store/sqlRequestWindows.ts';
import { millis } from '../../time/units.ts';
import { createRateLimit } from './rateLimit.ts';

const unexpected = (error: unknown) => expect.unreachable(String(error));
const at = (seconds: number) => millis(1_700_000_000_000 + seconds * 1000);

test('two nodes share one limit per tenant and report the same remaining count', async () => {
  const sql = await openSqlite(':memory:');
  const nodes = [0, 1].map(() => createRateLimit(10, sqlRequestWindows(sql), unexpected));
  const request = (index: number, seconds: number, tenant = 'acme') => nodes[index % 2]!(tenant, at(seconds));
  for (let index = 0; index < 10; index += 1)
    expect(await request(index, index)).toEqual({ isAllowed: true, remaining: 9 - index, reset: at(60) });
  for (const node of [0, 1, 0, 1]) expect(await request(node, 20)).toMatchObject({ isAllowed: false, remaining: 0 });
  expect((await request(0, 20, 'globex')).isAllowed).toBe(true);
  expect(await request(1, 60)).toEqual({ isAllowed: true, remaining: 9, reset: at(120) });
  expect((await request(0, 61)).remaining).toBe(8);
  await sql.close();
});

test('rejected requests cost no write', async () => {
  const sql = await openSqlite(':memory:');
  const store = sqlRequestWindows(sql);
  let writes = 0;
  const counting = {
    count: (...given: Parameters<typeof store.count>) => {
      writes += 1;
      return store.count(...given);
    },
  };
  const limit = createRateLimit(3, counting, unexpected);
  for (let index = 0; index < 50; index += 1) await limit('acme', at(1));
  expect(writes).toBe(3);
  expect((await limit('acme', at(62))).isAllowed).toBe(true);
  await sql.close();
});

test('while the store is unavailable each node counts on its own and no request fails', async () => {
  const sql = await openSqlite(':memory:');
  const errors: unknown[] = [];
  const limit = createRateLimit(3, sqlRequestWindows(sql), (error) => void errors.push(error));
  expect((await limit('acme', at(0))).remaining).toBe(2);
  await sql.close();
  const states = [];
  for (let index = 0; index < 4; index += 1) states.push(await limit('acme', at(1)));
  expect(states.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false, false]);
  expect(new Set(states.map(({ reset }) => reset))).toEqual(new Set([at(60)]));
  expect(errors).toHaveLength(1);
  expect((await limit('acme', at(60))).isAllowed).toBe(true);
});
