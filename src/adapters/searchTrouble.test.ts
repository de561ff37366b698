// Search domains that are away, turn away, or take only a part: nothing is lost, and nothing counted twice.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { noon, searchStores, watching } from '../../test/searchStores.ts';
import type { System } from '../tenants/system.ts';
import { millis } from '../time/units.ts';
import { createReportStores } from './reportStores.ts';
import { openSqlite } from './sql.ts';
import { reportRetention, sqlReports } from './sqlReports.ts';

const HOUR = 3_600_000;
const isReal = process.env.SEARCH_URL !== undefined;
const { guard, open, server, sumOf, warned } = searchStores();

describe.skipIf(isReal)('a domain in trouble', () => {
  beforeEach(() => {
    server().troubles.length = 0;
    warned.length = 0;
  });
  const bulk = /^\/_bulk/;
  const batchOf = (system: string, count = 5) => ({
    id: system,
    system,
    measurements: Array.from({ length: count }, (_, index) => watching(noon + index * 10_000, 1)),
  });

  test('what it has no room for comes again, and nothing is counted twice', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server().troubles.push({ turnedAway: 3, status: 429 }, { turnedAway: 1, status: 503 });
    await store.add(batchOf(system));
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('an answer that is lost is no reason to count again', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server().troubles.push({ doneBut: 'silent' });
    await expect(store.add(batchOf(system))).rejects.toThrow('The search domain of this system closed the connection');
    await store.add(batchOf(system));
    expect(warned).toEqual([]);
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('what is too large for one request goes in several', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server().asked.length = 0;
    server().troubles.push({ status: 413, body: {}, onlyOn: bulk });
    await store.add(batchOf(system, 5000));
    expect(server().asked.length).toBeGreaterThan(3);
    expect(Math.max(...server().asked.map((body) => body.length))).toBeLessThan(4.2 * 2 ** 20);
    expect(await sumOf(store, system, noon, noon + 24 * HOUR)).toBe(5000);
  });

  test('one document that it will never take does not hold up the others, and is told of', async () => {
    const [store, system] = [open(), randomUUID()];
    const { measurements, ...batch } = batchOf(system);
    const odd = { ...watching(noon, 1), amounts: { watching: 1.5 } };
    await store.add({ ...batch, measurements: [odd, ...measurements] });
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
    expect(warned).toEqual([expect.stringMatching(/refused documents for good .*"count":1.*mapper_parsing_exception/)]);
  });

  test.each([
    ['is away', { away: true }, 'closed the connection before its answer was complete'],
    ['has too much to do', { status: 429, body: {} }, 'answered 429: it has too much to do'],
    ['is broken', { status: 500, body: { error: { type: 'x_exception' } } }, 'answered 500 (x_exception)'],
    [
      'does not let us in',
      { status: 403, body: { error: { type: 'security_exception' } } },
      'answered 403 (security_exception): searchUser may not',
    ],
  ] as const)('one that %s is named as the reason, and is asked again later', async (_, trouble, words) => {
    const [store, system] = [open(), randomUUID()];
    server().troubles.push(trouble, trouble);
    await expect(store.add(batchOf(system))).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining(`The search domain of this system ${words}`),
    });
    server().troubles.length = 0;
    await store.add(batchOf(system));
    server().troubles.push(trouble, trouble);
    const question = {
      system,
      report: 'viewers',
      start: millis(noon),
      end: millis(noon + HOUR),
      interval: HOUR,
    } as const;
    await expect(store.read(question, 10)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining(words),
    });
    server().troubles.length = 0;
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('each system has one store; how a domain does is known, and it is left alone for a moment when it is away', async () => {
    const sql = await openSqlite(':memory:');
    const own = sqlReports(sql, reportRetention());
    const stores = createReportStores(own, { dispatcher: guard, warn: () => {}, pauseMs: 1, restMs: 60_000 });
    const systemWith = (settings: Record<string, string>) => ({ type: 'ssai', settings }) as unknown as System;
    expect(stores(systemWith({}))).toBe(own);
    expect(stores.stateOf(systemWith({}))).toBeUndefined();
    const wrong = systemWith({ searchDomain: 'a b' });
    expect(() => stores(wrong)).toThrow(/cannot be asked: searchDomain must be /);
    expect(stores.stateOf(wrong)).toMatchObject({ state: 'failing' });
    const right = systemWith(server().settings());
    expect(stores.stateOf(right)).toMatchObject({ state: 'unused' });
    expect(stores(right)).toBe(stores({ ...right }));
    await stores(right).add(batchOf(randomUUID()));
    expect(stores.stateOf(right)).toEqual({ state: 'working' });
    server().troubles.push({ away: true });
    await expect(stores(right).add(batchOf(randomUUID()))).rejects.toThrow('closed the connection');
    expect(stores.stateOf(right)).toMatchObject({ state: 'failing', stateReason: expect.stringContaining('closed') });
    const asked = server().asked.length;
    await expect(stores(right).add(batchOf(randomUUID()))).rejects.toThrow('closed the connection');
    expect(server().asked).toHaveLength(asked);
    await sql.close();
  });

  test.each([
    [
      'a wrong password',
      { searchPassword: 'wrong secret' },
      'answered 401 (security_exception): it does not accept searchUser and searchPassword',
    ],
    ['a host that is not there', { searchDomain: 'http://127.0.0.1:1' }, 'refused the connection'],
    ['a name that is none', { searchDomain: 'https://search.invalid' }, 'has a host name that does not exist'],
    ['an address within', { searchDomain: 'http://169.254.1.1:9200' }, 'EGRESS_ALLOW'],
    ['TLS where there is none', { searchDomain: 'https' }, 'TLS'],
  ] as [string, Record<string, string>, string][])('%s is told without secrets', async (_, changes, words) => {
    const settings =
      changes.searchDomain === 'https'
        ? { searchDomain: server().settings().searchDomain.replace('http:', 'https:') }
        : changes;
    const store = open(settings);
    const error = await store.add(batchOf(randomUUID())).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ status: 503, message: expect.stringContaining(words) });
    for (const secret of ['wrong secret', server().settings().searchPassword!])
      expect(String(error)).not.toContain(secret);
  });
});
