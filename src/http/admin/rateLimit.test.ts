import { expect, test } from 'vitest';
import { openSqlite } from '../../adapters/sql/sql.ts';
import { sqlRequestWindows } from '../../adapters/sql/tenants/sqlRequestWindows.ts';
import { millis } from '../../time/units.ts';
import { createRateLimit } from './rateLimit.ts';

const unexpected = (error: unknown) => expect.unreachable(String(error));
const at = (seconds: number) => millis(1_700_000_000_000 + seconds * 1000);

test('two nodes together allow a tenant so many requests a minute, and say alike how many are left', async () => {
  const sql = await openSqlite(':memory:');
  const nodes = [0, 1].map(() => createRateLimit(10, sqlRequestWindows(sql), unexpected));
  const ask = (index: number, seconds: number, tenant = 'acme') => nodes[index % 2]!(tenant, at(seconds));
  for (let index = 0; index < 10; index += 1)
    expect(await ask(index, index)).toEqual({ isAllowed: true, remaining: 9 - index, reset: at(60) });
  for (const node of [0, 1, 0, 1]) expect(await ask(node, 20)).toMatchObject({ isAllowed: false, remaining: 0 });
  expect((await ask(0, 20, 'globex')).isAllowed).toBe(true);
  expect(await ask(1, 60)).toEqual({ isAllowed: true, remaining: 9, reset: at(120) });
  expect((await ask(0, 61)).remaining).toBe(8);
  await sql.close();
});

test('what is refused anyway is not written', async () => {
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

test('while the store is away each node counts for itself, and no request fails of it', async () => {
  const sql = await openSqlite(':memory:');
  const errors: unknown[] = [];
  const limit = createRateLimit(3, sqlRequestWindows(sql), (error) => void errors.push(error));
  expect((await limit('acme', at(0))).remaining).toBe(2);
  await sql.close();
  const answers = [];
  for (let index = 0; index < 4; index += 1) answers.push(await limit('acme', at(1)));
  expect(answers.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false, false]);
  expect(new Set(answers.map(({ reset }) => reset))).toEqual(new Set([at(60)]));
  expect(errors).toHaveLength(1);
  expect((await limit('acme', at(60))).isAllowed).toBe(true);
});
