// SPDX-License-Identifier: Apache-2.0
// A thousand playlists of a thousand items: the last page costs as much as the first.
import type { CompiledQuery, QueryResult } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { onBothStores } from './onBothStores.ts';

const contents = Array.from(
  { length: 1000 },
  (_, n) => ({ sourceType: 'url', url: `https://media.example.com/${n}/a.m3u8` }) as const,
);

onBothStores(({ admin, call }) => {
  beforeAll(async () => {
    const owner = { tenant: 'acme', createdBy: 'ann@example.com', createdAt: '2026-01-01T00:00:00.000Z' };
    for (let from = 0; from < 1000; from += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          admin.deps.playlists.insert({ ...owner, id: `p${from + n}`, status: 'disabled', contents }),
        ),
      );
  });
  /** The queries on playlists that a request causes, and the size of their results. */
  async function costs(path: string) {
    const executed = vi.spyOn(admin.store.db.getExecutor(), 'executeQuery');
    expect((await call('GET', path)).status).toBe(200);
    const results = (await Promise.all(executed.mock.results.map(({ value }) => value))) as QueryResult<unknown>[];
    const queries = executed.mock.calls.map(([query]) => query as CompiledQuery);
    executed.mockRestore();
    const own = queries.flatMap((query, index) =>
      /from "playlists"/.test(query.sql) ? [{ query, rows: results[index]!.rows }] : [],
    );
    return {
      statements: own.length,
      rows: own.reduce((sum, { rows }) => sum + rows.length, 0),
      bytes: own.reduce((sum, { rows }) => sum + JSON.stringify(rows).length, 0),
      plans: own.flatMap(({ query }) => planOf(query)),
    };
  }
  /** The query plan of SQLite. That of PostgreSQL depends on the statistics of the table. */
  function planOf({ sql, parameters }: CompiledQuery): string[] {
    const plan = admin.store.sqlite?.prepare(`explain query plan ${sql}`).all(...parameters) ?? [];
    return (plan as { detail: string }[]).map(({ detail }) => detail);
  }

  test('lists and reads do not depend on the position of the record', async () => {
    const page = (offset: number) => `/api/v2/playlists?limit=5&offset=${offset}`;
    expect((await call('GET', page(995))).headers['x-total-count']).toBe('1000');
    const [first, last] = [await costs(page(0)), await costs(page(995))];
    const [newest, oldest] = [await costs('/api/v2/playlists/p999'), await costs('/api/v2/playlists/p0')];
    expect([last.statements, last.rows]).toEqual([first.statements, first.rows]);
    expect([first.statements, first.rows]).toEqual([2, 1 + 5]);
    expect(last.bytes / first.bytes).toBeLessThan(1.1);
    expect([newest, oldest].map(({ statements, rows }) => [statements, rows])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(oldest.bytes / newest.bytes).toBeLessThan(1.1);
    // No table scan and no sorting: rows before the page are skipped in an index.
    for (const step of [first, last, newest, oldest].flatMap(({ plans }) => plans))
      expect(step).not.toMatch(/^SCAN|TEMP B-TREE|USING INDEX .*\(tenant=\?\)$/);
  });
});
