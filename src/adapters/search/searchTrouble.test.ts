// Search domains that are away, turn away, or take only a part: nothing is lost, and nothing counted twice.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { noon, searchStores, watching } from '../../../test/search/searchStores.ts';
import type { System } from '../../tenants/system.ts';
import { millis } from '../../time/units.ts';
import { reportRetention, sqlReports } from '../sql/reports/sqlReports.ts';
import { openSqlite } from '../sql/sql.ts';
import { createReportStores } from './reportStores.ts';

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
    await expect(store.add(batchOf(system))).rejects.toMatchObject({ error: 'reset' });
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
    expect(warned).toEqual([expect.stringMatching(/"count":1.*mapper_parsing_exception/)]);
  });

  test.each([
    ['is away', { away: true }, 'reset', undefined, []],
    ['has too much to do', { status: 429, body: {} }, 'httpStatus', 429, []],
    [
      'is broken',
      { status: 500, body: { error: { type: 'x_exception' } } },
      ...(['httpStatus', 500, ['x_exception']] as const),
    ],
    [
      'does not let us in',
      { status: 403, body: { error: { type: 'security_exception' } } },
      ...(['httpStatus', 403, ['security_exception', 'searchUser']] as const),
    ],
  ] as const)(
    'one that %s is named as the reason, and is asked again later',
    async (_, trouble, error, answered, names) => {
      const [store, system] = [open(), randomUUID()];
      const told = { status: 503, error, answered, message: naming(...(answered ? [answered] : []), ...names) };
      server().troubles.push(trouble, trouble);
      await expect(store.add(batchOf(system))).rejects.toMatchObject(told);
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
      await expect(store.read(question, 10)).rejects.toMatchObject(told);
      server().troubles.length = 0;
      expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
    },
  );

  test('each system has one store; how a domain does is known, and it is left alone for a moment when it is away', async () => {
    const sql = await openSqlite(':memory:');
    const own = sqlReports(sql, reportRetention());
    const stores = createReportStores(own, { dispatcher: guard, warn: () => {}, pauseMs: 1, restMs: 60_000 });
    const systemWith = (settings: Record<string, string>) => ({ type: 'ssai', settings }) as unknown as System;
    expect(stores(systemWith({}))).toBe(own);
    expect(stores.stateOf(systemWith({}))).toBeUndefined();
    const wrong = systemWith({ searchDomain: 'a b' });
    expect(() => stores(wrong)).toThrow(
      expect.objectContaining({ kind: 'UNAVAILABLE', message: naming('searchDomain') }),
    );
    expect(stores.stateOf(wrong)).toMatchObject({ state: 'failing' });
    const right = systemWith(server().settings());
    expect(stores.stateOf(right)).toMatchObject({ state: 'unused' });
    expect(stores(right)).toBe(stores({ ...right }));
    await stores(right).add(batchOf(randomUUID()));
    expect(stores.stateOf(right)).toEqual({ state: 'working' });
    server().troubles.push({ away: true });
    const trouble = await stores(right)
      .add(batchOf(randomUUID()))
      .catch((thrown: Error) => thrown);
    expect(trouble).toMatchObject({ error: 'reset' });
    expect(stores.stateOf(right)).toEqual({ state: 'failing', stateReason: (trouble as Error).message });
    const asked = server().asked.length;
    await expect(stores(right).add(batchOf(randomUUID()))).rejects.toMatchObject({ error: 'reset' });
    expect(server().asked).toHaveLength(asked);
    await sql.close();
  });

  test.each([
    [
      'a wrong password',
      { searchPassword: 'wrong secret' },
      'httpStatus',
      [401, 'security_exception', 'searchUser', 'searchPassword'],
    ],
    ['a host that is not there', { searchDomain: 'http://127.0.0.1:1' }, 'refused', []],
    ['a name that is none', { searchDomain: 'https://search.invalid' }, 'noSuchHost', []],
    ['an address within', { searchDomain: 'http://169.254.1.1:9200' }, 'egress', ['EGRESS_ALLOW']],
    ['TLS where there is none', { searchDomain: 'https' }, 'tls', ['TLS']],
  ] as [string, Record<string, string>, string, (string | number)[]][])(
    '%s is told without secrets',
    async (...row) => {
      const [, changes, kind, names] = row;
      const settings =
        changes.searchDomain === 'https'
          ? { searchDomain: server().settings().searchDomain.replace('http:', 'https:') }
          : changes;
      const store = open(settings);
      const error = await store.add(batchOf(randomUUID())).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ status: 503, error: kind, message: naming(...names) });
      for (const secret of ['wrong secret', server().settings().searchPassword!])
        expect(String(error)).not.toContain(secret);
    },
  );
});
