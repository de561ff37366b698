// SPDX-License-Identifier: Apache-2.0
// The connection that listens to PostgreSQL: closed, silent, and behind a pooler that swallows notices.
import { createServer } from 'node:net';
import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { opened } from '../../../../test/opened.ts';
import { startNoticeProxy } from '../../../../test/servers/noticeProxy.ts';
import { createDatabase } from '../../../../test/servers/postgresDatabase.ts';
import { openPostgres, openSqlite } from '../../../database.ts';
import type { Timers } from '../../../time/clock.ts';
import { millis } from '../../../time/units.ts';
import { createSystemClock, systemTimers } from '../../systemClock.ts';
import { sqlChannelStatuses } from '../channels/sqlChannelStatuses.ts';
import { postgresNotices } from './postgresNotices.ts';

const heard: string[] = [];
const echoes: number[] = [];
let losses: string[] = [];

const works = () => vi.waitFor(async () => expect(await source.catchUp()).toBeUndefined(), 120_000);
const fails = () => vi.waitFor(async () => expect(await source.catchUp()).toBeTypeOf('string'), 120_000);
const write = (id: string) =>
  sqlChannelStatuses(direct).put({ tenant: 'acme', id }, { state: 'enabled', items: [] }, millis(Date.now()));
/** The process ids of the connections that listen. */
async function listening(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'midroll notices' and datname = current_database()
  `.execute(direct.db);
  return rows.map(({ pid }) => pid);
}

const database = await opened(createDatabase());
const proxy = await opened(startNoticeProxy(database.url));
const direct = await opened(openPostgres(database.url));
const store = await opened(openPostgres(proxy.url));
const source = await opened(postgresNotices({ url: proxy.url, db: store.db, connectMs: 1000, ...createSystemClock() }));
source.start({
  notice: ({ key }) => void heard.push(key),
  lost: () => void losses.push('lost'),
  echo: (ms) => void echoes.push(ms),
});
beforeEach(async () => {
  proxy.harm('none');
  await works();
  heard.length = 0;
  losses = [];
});

test('one connection listens, and the time of each echo is reported', async () => {
  expect(await listening()).toHaveLength(1);
  expect(echoes.length).toBeGreaterThan(0);
  expect(Math.min(...echoes)).toBeGreaterThan(0);
});

test('a closed connection is replaced, and the loss of notices is reported', async () => {
  const [pid] = await listening();
  await sql`select pg_terminate_backend(${pid})`.execute(direct.db);
  await write('while closed');
  await vi.waitFor(() => expect(losses).toHaveLength(1), 120_000);
  await works();
  await write('afterwards');
  await works();
  expect(heard).toContain('acme/afterwards');
  expect(await listening()).toHaveLength(1);
});

test('a connection without responses is replaced, although it stays open', async () => {
  proxy.harm('hold');
  await write('unseen');
  await fails();
  // The connection that replaces it does not respond either.
  await fails();
  expect(heard).toEqual([]);
  proxy.harm('none');
  await works();
  expect(losses.length).toBeGreaterThan(0);
});

test('notices that a pooler swallows are detected, although the database responds', async () => {
  proxy.harm('drop');
  await write('swallowed');
  expect(await source.catchUp()).toContain('pooler');
  expect(await source.catchUp()).toContain('pooler');
  expect(heard).toEqual([]);
  proxy.harm('none');
  await works();
  await write('passed on');
  await works();
  expect(heard).toContain('acme/passed on');
});

/** A server that accepts connections and closes each of them, as a proxy does whose database is away. */
async function startClosing(): Promise<{ readonly url: string; accepted(): number }> {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => {});
    socket.once('data', () => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `postgres://midroll@127.0.0.1:${port}/midroll`, accepted: () => accepted };
}

test('after a connection that is closed while it is opened, one attempt follows', async () => {
  const server = await startClosing();
  const { db, close } = await openSqlite(':memory:');
  const waiting = new Set<() => void>();
  const timers: Timers = {
    ...systemTimers,
    after(_, work) {
      waiting.add(work);
      return { cancel: () => void waiting.delete(work) };
    },
  };
  const own = postgresNotices({ url: server.url, db, connectMs: 5000, now: () => millis(0), timers });
  own.start({ notice: () => {}, lost: () => {} });
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await expect.poll(() => waiting.size).toBe(1);
    // What else the end of the connection leads to.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([server.accepted(), waiting.size]).toEqual([attempt, 1]);
    const [next] = waiting;
    waiting.clear();
    next!();
  }
  await own.stop();
  await close();
});

test('nothing is reported after the end', async () => {
  await source.stop();
  await write('late');
  await vi.waitFor(async () => expect(await listening()).toEqual([]), 60_000);
  expect(heard).toEqual([]);
  expect(losses).toEqual([]);
});
