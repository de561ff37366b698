// SPDX-License-Identifier: Apache-2.0
// Search domains that are unavailable or reject documents: no count is lost or doubled.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { naming } from '../../../../../test/naming.ts';
import { noon, searchStores, watching } from '../../../../../test/search/searchStores.ts';
import { openSqlite } from '../../../../database.ts';
import type { System } from '../../../systems/rules/system.ts';
import { reportRetention, sqlReports } from '../sql/sqlReports.ts';
import { createReportStores } from './reportStores.ts';

const HOUR = 3_600_000;
const isReal = process.env.SEARCH_URL !== undefined;
const { guard, open, server, sumOf, warned } = searchStores();

describe.skipIf(isReal)('a failing domain', () => {
  beforeEach(() => {
    server().faults.length = 0;
    warned.length = 0;
  });
  const bulk = /^\/_bulk/;
  const batchOf = (system: string, count = 5) => ({
    id: system,
    system,
    measurements: Array.from({ length: count }, (_, index) => watching(noon + index * 10_000, 1)),
  });

  test('documents that it rejects temporarily are retried, and count once', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server().faults.push({ rejected: 3, status: 429 }, { rejected: 1, status: 503 });
    await store.add(batchOf(system));
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('a write without a response counts once after the retry', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server().faults.push({ disconnects: 'after' });
    await expect(store.add(batchOf(system))).rejects.toMatchObject({ error: 'reset' });
    await store.add(batchOf(system));
    expect(warned).toEqual([]);
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('a batch that is too large for one request is split', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server().bulkRequests.length = 0;
    server().faults.push({ status: 413, body: {}, onlyOn: bulk });
    await store.add(batchOf(system, 5000));
    expect(server().bulkRequests.length).toBeGreaterThan(3);
    expect(Math.max(...server().bulkRequests.map((body) => body.length))).toBeLessThan(4.2 * 2 ** 20);
    expect(await sumOf(store, system, noon, noon + 24 * HOUR)).toBe(5000);
  });

  test('a document that it rejects permanently is reported, and does not block others', async () => {
    const [store, system] = [open(), randomUUID()];
    const { measurements, ...batch } = batchOf(system);
    const odd = { ...watching(noon, 1), amounts: { watching: 1.5 } };
    await store.add({ ...batch, measurements: [odd, ...measurements] });
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
    expect(warned).toEqual([expect.stringMatching(/"count":1.*mapper_parsing_exception/)]);
  });

  const failed = (status: number, type?: string) => ({ status, body: type === undefined ? {} : { error: { type } } });
  test.each([
    ['is unavailable', { disconnects: 'before' }, 'reset', undefined, []],
    ['is overloaded', failed(429), 'httpStatus', 429, []],
    ['has an internal error', failed(500, 'x_exception'), 'httpStatus', 500, ['x_exception']],
    ['denies access', failed(403, 'a_exception'), 'httpStatus', 403, ['a_exception', 'searchUser']],
  ] as const)('one that %s is reported as the reason, and works again later', async (...row) => {
    const [, fault, error, responseStatus, names] = row;
    const [store, system] = [open(), randomUUID()];
    const message = naming(...(responseStatus ? [responseStatus] : []), ...names);
    const expected = { status: 503, error, responseStatus, message };
    server().faults.push(fault, fault);
    await expect(store.add(batchOf(system))).rejects.toMatchObject(expected);
    server().faults.length = 0;
    await store.add(batchOf(system));
    server().faults.push(fault, fault);
    await expect(sumOf(store, system, noon, noon + HOUR)).rejects.toMatchObject(expected);
    server().faults.length = 0;
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('each system has one store with a known state, which fails fast for a while if the domain is unavailable', async () => {
    const sql = await openSqlite(':memory:');
    const own = sqlReports(sql, reportRetention());
    const stores = createReportStores(own, { dispatcher: guard, warn: () => {}, pauseMs: 1, restMs: 60_000 });
    const systemWith = (settings: Record<string, string>) => ({ type: 'ssai', settings }) as unknown as System;
    expect(stores(systemWith({}))).toBe(own);
    expect(stores.stateOf(systemWith({}))).toBeUndefined();
    const invalid = systemWith({ searchDomain: 'a b' });
    expect(() => stores(invalid)).toThrow(
      expect.objectContaining({ kind: 'UNAVAILABLE', message: naming('searchDomain') }),
    );
    expect(stores.stateOf(invalid)).toMatchObject({ state: 'failing' });
    const valid = systemWith(server().settings());
    expect(stores.stateOf(valid)).toMatchObject({ state: 'unused' });
    expect(stores(valid)).toBe(stores({ ...valid }));
    await stores(valid).add(batchOf(randomUUID()));
    expect(stores.stateOf(valid)).toEqual({ state: 'working' });
    server().faults.push({ disconnects: 'before' });
    const error = await stores(valid)
      .add(batchOf(randomUUID()))
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ error: 'reset' });
    expect(stores.stateOf(valid)).toEqual({ state: 'failing', stateReason: (error as Error).message });
    const before = server().bulkRequests.length;
    await expect(stores(valid).add(batchOf(randomUUID()))).rejects.toMatchObject({ error: 'reset' });
    expect(server().bulkRequests).toHaveLength(before);
    await sql.close();
  });

  const denied = [401, 'security_exception', 'searchUser', 'searchPassword'];
  test.each([
    ['a wrong password', { searchPassword: 'wrong secret' }, 'httpStatus', denied],
    ['a missing host', { searchDomain: 'http://127.0.0.1:1' }, 'refused', []],
    ['an unknown host name', { searchDomain: 'https://search.invalid' }, 'noSuchHost', []],
    ['a private address', { searchDomain: 'http://169.254.1.1:9200' }, 'egress', ['EGRESS_ALLOW']],
    ['a domain without TLS', () => server().settings().searchDomain.replace('http:', 'https:'), 'tls', ['TLS']],
  ] as [string, Record<string, string> | (() => string), string, (string | number)[]][])(
    '%s is reported without secrets',
    async (_, changes, kind, names) => {
      const store = open(typeof changes === 'function' ? { searchDomain: changes() } : changes);
      const error = await store.add(batchOf(randomUUID())).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ status: 503, error: kind, message: naming(...names) });
      for (const secret of ['wrong secret', server().settings().searchPassword!])
        expect(String(error)).not.toContain(secret);
    },
  );
});
