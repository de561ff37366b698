// SPDX-License-Identifier: Apache-2.0
// The history is bounded in size, and becomes smaller in steps: no statement changes many rows, and other writes and the event
// loop get their turn in between.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { createAdResponseReader } from '../../src/adapters/vast/adResponseReader.ts';
import { sqlHistory } from '../../src/platform/history/store/sqlHistory.ts';
import { millis } from '../../src/time/units.ts';
import { opened, scratchFolder } from '../opened.ts';
import { onEachStoreIn } from '../servers/sqlStores.ts';
import { sessionOf } from './records.ts';
import { typicalSession } from './typicalSession.ts';
import { usedByHistory } from './usedByHistory.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const DAY = 24 * 3_600_000;
const STORED = 6000;
/** Rows that one statement of the history may change. */
const MOST_ROWS = 500;

const folder = scratchFolder();
const reader = await opened(createAdResponseReader({ maxUrls: 100 }));

/** The numbers from 0 below `count`. */
const numbers = ({ kind }: Sql, count: number) =>
  kind === 'sqlite'
    ? sql.raw(
        `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n) as n`,
      )
    : sql.raw(`generate_series(0, ${count - 1}) as n(i)`);

onEachStoreIn(folder, async (open) => {
  const store = await open();
  beforeAll(async () => {
    await store.db.insertInto('tenants').values({ name: 'default', created_at: '', created_by: '' }).execute();
  });
  beforeEach(async () => {
    for (const table of ['past_sessions', 'past_breaks', 'breaks', 'sessions'] as const)
      await store.db.deleteFrom(table).execute();
  });

  /** The store, and the rows that each statement of the history changed. */
  function counted(): { readonly counts: number[]; readonly history: ReturnType<typeof sqlHistory> } {
    const counts: number[] = [];
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.numAffectedRows !== undefined) counts.push(Number(result.numAffectedRows));
        return result;
      },
    };
    return { counts, history: sqlHistory({ ...store, db: store.db.withPlugin(plugin) }) };
  }

  /** Writes and waits for turns of the event loop, one after the other, while `work` runs. @returns how many of both succeeded */
  async function meanwhile(work: Promise<unknown>): Promise<{ readonly writes: number; readonly turns: number }> {
    let isDone = false;
    let [writes, turns] = [0, 0];
    const done = work.finally(() => {
      isDone = true;
    });
    const write = async () => {
      while (!isDone) {
        await store.db
          .updateTable('tenants')
          .set({ created_by: `${writes}` })
          .where('name', '=', 'default')
          .execute();
        writes += 1;
      }
    };
    const turn = async () => {
      while (!isDone) {
        await nextTurn();
        turns += 1;
      }
    };
    await Promise.all([done, write(), turn()]);
    return { writes, turns };
  }

  const countOf = async (table: 'past_sessions' | 'past_breaks' | 'sessions'): Promise<number> =>
    Number((await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(store.db)).rows[0]!.n);
  const sizeOf = async () => {
    const sum = (table: string) => sql`(select coalesce(sum(bytes), 0) from ${sql.table(table)})`;
    const query = sql<{ kept: number; summed: number }>`select bytes as kept,
      ${sum('past_sessions')} + ${sum('past_breaks')} as summed from past_size`;
    const { kept, summed } = (await query.execute(store.db)).rows[0]!;
    expect(Number(kept)).toBe(Number(summed));
    return Number(kept);
  };

  /** With one break each. */
  async function fill(count: number): Promise<void> {
    await sql`insert into past_sessions (id, id_start, tenant, channel_id, format, opened_at, seen_at, kept_from, span,
        address, user_agent, parameters, bytes)
      select 's' || i, 's', 'default', 'c', 'hls', ${sql.lit(START)} + i, ${sql.lit(START)} + i, ${sql.lit(START)} + i, 0, '', '', '', 400
      from ${numbers(store, count)}`.execute(store.db);
    await sql`insert into past_breaks (session_id, break_id, tenant, starts_at, kept_from, fill, bytes, body)
      select 's' || i, '1-0', 'default', ${sql.lit(START)} + i, ${sql.lit(START)} + i, '', 250,
        ${sql.raw(store.kind === 'sqlite' ? "x'00'" : "'\\x00'::bytea")}
      from ${numbers(store, count)}`.execute(store.db);
  }

  test('6,000 sessions that are too old are deleted in small steps', async () => {
    await fill(STORED);
    const { counts, history } = counted();
    const { writes, turns } = await meanwhile(
      (async () => {
        while (await history.prune(millis(START + DAY), 1e12));
      })(),
    );
    expect([await countOf('past_sessions'), await countOf('past_breaks'), await sizeOf()]).toEqual([0, 0, 0]);
    expect(Math.max(...counts)).toBe(MOST_ROWS);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(2 * STORED);
    // As many steps, and each of them lets others proceed.
    const steps = (2 * STORED) / MOST_ROWS;
    expect(writes).toBeGreaterThan(steps / 4);
    expect(turns).toBeGreaterThan(steps);
  });

  test('a session with thousands of breaks is deleted in small steps, and is found until they are deleted', async () => {
    await fill(2);
    await sql`insert into past_breaks (session_id, break_id, tenant, starts_at, kept_from, fill, bytes, body)
      select 's0', '2-' || i, 'default', ${sql.lit(START)}, ${sql.lit(START)}, '', 250,
        ${sql.raw(store.kind === 'sqlite' ? "x'00'" : "'\\x00'::bytea")}
      from ${numbers(store, 5000)}`.execute(store.db);
    const { counts, history } = counted();
    await history.prune(millis(0), 250 * 2000);
    expect(Math.max(...counts)).toBe(MOST_ROWS);
    expect(await sizeOf()).toBeLessThanOrEqual(250 * 2000);
    expect(await history.find('s0', 'default')).toBeDefined();
    await history.prune(millis(0), 700);
    expect(Math.max(...counts)).toBe(MOST_ROWS);
    expect([await countOf('past_sessions'), await countOf('past_breaks')]).toEqual([0, 0]);
  });

  test('the limit of bytes holds for what is stored, and the oldest sessions are deleted first', async () => {
    const { counts, history } = counted();
    const empty = await usedByHistory(store);
    const sessions = 240;
    for (let count = 0; count < sessions; count += 1) {
      const { session, breaks } = await typicalSession(`s${count}`, START + count * 60_000, 2, reader);
      await history.add([session], breaks);
    }
    counts.length = 0;
    const full = await sizeOf();
    // What is counted is what the database uses, within a fifth.
    expect((await usedByHistory(store)) - empty).toBeLessThan(1.2 * full);
    const most = Math.floor(full / 2);
    expect(await history.prune(millis(0), most)).toBe(false);
    expect(await sizeOf()).toBeLessThanOrEqual(most);
    const left = await countOf('past_sessions');
    expect(await countOf('past_breaks')).toBe(2 * left);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MOST_ROWS);
    const { rows } = await sql<{ id: string }>`select id from past_sessions`.execute(store.db);
    const kept = rows.map(({ id }) => Number(id.slice(1))).sort((one, other) => one - other);
    expect(kept).toEqual(Array.from({ length: left }, (_, index) => sessions - left + index));
    expect(left).toBeGreaterThan(0);
  });

  test('3,000 sessions that expire at once move to the history in small steps', async () => {
    const count = 3000;
    const one = { ...sessionOf('model', millis(START)), tenant: 'default' };
    const { id: _, ...body } = one;
    const text = JSON.stringify(body).slice(1);
    const odometer = { segments: [0], discontinuities: 0 };
    const sessions = sqlSessions(store, true);
    await sessions.create(one, odometer);
    const [model] = (await sql<Record<string, unknown>>`select * from sessions`.execute(store.db)).rows;
    const columns = Object.keys(model!).filter((name) => !['id', 'body', 'seq'].includes(name));
    await sql`insert into sessions (id, seq, body, ${sql.join(columns.map((name) => sql.ref(name)))})
      select 's' || i, i + 10, '{"id":"s' || i || '",' || ${sql.lit(text)}, ${sql.join(columns.map((name) => sql.ref(`sessions.${name}`)))}
      from sessions, ${numbers(store, count)}`.execute(store.db);
    const removed: number[] = [];
    const expiring = sqlSessions(
      {
        ...store,
        async atomicRows(statements) {
          const rows = await store.atomicRows(statements);
          removed.push(rows[0]!.length);
          return rows;
        },
      },
      true,
    );
    const at = millis(START + DAY);
    const { writes, turns } = await meanwhile(expiring.expire(at, at, { now: at, unwatchedBefore: at }));
    expect([await countOf('sessions'), await countOf('past_sessions')]).toEqual([0, count + 1]);
    expect(Math.max(...removed)).toBe(MOST_ROWS);
    const steps = count / MOST_ROWS;
    expect(writes).toBeGreaterThanOrEqual(steps / 4);
    expect(turns).toBeGreaterThan(steps);
  });
});
