// SPDX-License-Identifier: Apache-2.0
// Counts reach their system exactly once, despite restarts, unavailable stores and several processes that write them.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileSpool } from '../../../../adapters/spool/fileSpool.ts';
import { sqlChannels } from '../../../../adapters/sql/channels/sqlChannels.ts';
import { createSecretBox } from '../../../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../../../adapters/sql/sql.ts';
import type { Channel } from '../../../../channels/channel.ts';
import { openSqlite } from '../../../../database.ts';
import { type Millis, millis } from '../../../../time/units.ts';
import { ownSystem, type System, systemKey } from '../../../systems/rules/system.ts';
import { sqlSystems } from '../../../systems/store/sqlSystems.ts';
import { reportRetention, sqlReports } from '../../store/sql/sqlReports.ts';
import { sqlViewing } from '../../store/sql/sqlViewing.ts';
import { createCounter } from '../count/counter.ts';
import type { ReportStore } from '../ports.ts';
import { createChannelSystems } from './channelSystems.ts';
import { createReportFlusher } from './flushReports.ts';

const start = 1_700_000_000_000;
const at = (seconds: number): Millis => millis(start + seconds * 1000);

let sql: Sql;
let folder: string;
let own: ReportStore;
let systems: ReturnType<typeof sqlSystems>;
const system = (name: string, type: System['type']): System => ({
  ...ownSystem('acme', 'ann@example.com', new Date(start).toISOString()),
  name,
  type,
});
const first = system('first', 'ssai');
const second = system('second', 'ssai');
const cloud = system('cloud', 'cloud-media-services');
const channel = (id: string, systemId?: string) =>
  ({ id, tenant: 'acme', state: 'enabled', apiKey: id, ...(systemId ? { systemId } : {}) }) as Channel;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'midroll-flusher-'));
  sql = await openSqlite(folder);
  own = sqlReports(sql, reportRetention());
  systems = sqlSystems(sql, createSecretBox('a secret for tests'));
  const channels = sqlChannels(sql);
  for (const one of [first, second, cloud]) await systems.insert(one);
  for (const one of [channel('one'), channel('two', second.id), channel('far', cloud.id)]) await channels.insert(one);
});
afterEach(async () => {
  await sql.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A process with its own memory; spool and database are shared. */
function startProcess(stores: (system: System) => ReportStore = () => own, now = () => at(20), maxBytes = 1e6) {
  const counter = createCounter();
  // File times are finer than the clock, so -1 makes a file that was written in this millisecond abandoned, too.
  const spool = createFileSpool(join(folder, 'reports'), { maxBytes, leftAfter: -1 });
  const logged: object[] = [];
  const flusher = createReportFlusher({
    counter,
    spool,
    systems,
    now,
    storeFor: stores,
    viewing: sqlViewing(sql),
    channelSystems: createChannelSystems({ channels: sqlChannels(sql), systems, now }),
    log: (_, facts) => void logged.push(facts),
  });
  return { counter, flusher, logged };
}
const opened = (channelId: string, seconds = 1) =>
  ({ type: 'sessionOpened', at: at(seconds), channel: channelId }) as const;
const files = () => readdirSync(join(folder, 'reports'));

async function started(one: System, store = own): Promise<number> {
  const range = { start: at(0), end: at(1000), interval: 1_000_000 };
  const [cell] = await store.read({ system: systemKey(one), report: 'viewers', ...range }, 10);
  return cell?.amounts.sessionsStarted ?? 0;
}

test('counts go to the system that the channel names, else to the first one; a cloud system does not count viewers', async () => {
  const { counter, flusher } = startProcess();
  for (const id of ['one', 'two', 'two', 'far', 'nowhere']) counter.record(opened(id));
  counter.record({ ...opened('gone'), tenant: 'acme' });
  const made = { type: 'creativeConditioned', at: at(1), creative: 'red', isMade: true, ms: 5 } as const;
  counter.record({ ...made, channel: 'far' });
  counter.record({ ...made, channel: 'two' });
  counter.record({ type: 'stored', at: at(1), tenant: 'acme', system: cloud.id, bytes: 10, objects: 1 });
  await flusher.flush();
  expect(await flusher.writeToStores()).toBe(0);
  expect(files()).toEqual([]);
  expect([await started(first), await started(second), await started(cloud)]).toEqual([3, 2, 0]);
  const range = { start: at(0), end: at(1000), interval: 1_000_000 };
  const creatives = async (one: System) =>
    (await own.read({ system: systemKey(one), report: 'creatives', ...range }, 10))[0]?.amounts.conditioned;
  expect([await creatives(first), await creatives(second), await creatives(cloud)]).toEqual([1, 1, 1]);
  expect((await own.read({ system: systemKey(cloud), report: 'storage', ...range }, 10))[0]?.levels).toEqual({
    bytes: 10,
    objects: 1,
  });
});

test('counts of a channel never go to another tenant that uses the same channel id later', async () => {
  const theirs = { ...ownSystem('globex', 'bob@example.com', new Date(start).toISOString()), name: 'theirs' };
  await systems.insert(theirs);
  const { counter, flusher } = startProcess();
  const countSessions = async (tenant: string, times: number) => {
    for (let time = 0; time < times; time += 1) counter.record({ ...opened('one'), tenant });
    await flusher.flush();
    await flusher.writeToStores();
  };
  await countSessions('acme', 1);
  await sqlChannels(sql).remove('acme', 'one');
  await sqlChannels(sql).insert({ ...channel('one'), tenant: 'globex' });
  await countSessions('globex', 4);
  await countSessions('acme', 2);
  expect([await started(first), await started(theirs)]).toEqual([3, 4]);
});

test('another process writes the entries of a process that ended, and several processes count them once', async () => {
  const dead = startProcess();
  dead.counter.record(opened('one', 15));
  const viewer = { id: 'viewer-one', channelId: 'one' };
  dead.counter.watched(viewer, at(15));
  await dead.flusher.flush(true);
  const others = [startProcess(), startProcess(), startProcess()];
  for (const { counter, flusher } of others) {
    counter.watched(viewer, at(16));
    await flusher.flush(true);
  }
  await Promise.all(others.map(({ flusher }) => flusher.writeToStores()));
  for (const { flusher } of others) await flusher.writeToStores();
  expect(files()).toEqual([]);
  expect(await started(first)).toBe(1);
  const cells = await own.read(
    { system: systemKey(first), report: 'viewers', start: at(0), end: at(1000), interval: 1_000_000 },
    9,
  );
  expect(cells[0]!.amounts.watching).toBe(1);
});

test('an unavailable store receives everything later, and does not delay other stores', async () => {
  let isUnavailable = true;
  const flaky: ReportStore = {
    ...own,
    add: async (batch) => {
      if (isUnavailable) throw new Error('unavailable');
      await own.add(batch);
      // The response is lost, so the batch is sent again.
      isUnavailable = true;
      throw new Error('reset');
    },
  };
  const { counter, flusher, logged } = startProcess(({ id }) => (id === second.id ? flaky : own));
  for (const seconds of [1, 2, 3]) {
    for (const id of ['one', 'two']) counter.record(opened(id, seconds));
    await flusher.flush();
    await flusher.writeToStores();
  }
  expect([await started(first), await started(second)]).toEqual([3, 0]);
  expect(logged.length).toBeGreaterThan(0);
  for (let tries = 0; tries < 12 && files().length > 0; tries += 1) {
    isUnavailable = false;
    await flusher.writeToStores();
  }
  // Until now every response was lost.
  const next = startProcess();
  expect(await next.flusher.writeToStores()).toBe(0);
  expect([await started(first), await started(second), files()]).toEqual([3, 3, []]);
});

test('shared events count once if several processes report them', async () => {
  const waiting = { type: 'creativesWaiting', at: at(0), channel: 'one', count: 4 } as const;
  for (const { flusher } of [startProcess(), startProcess()]) {
    await flusher.flushShared('waiting-0', [waiting]);
    await flusher.writeToStores();
  }
  const range = { start: at(0), end: at(1000), interval: 1_000_000 };
  const [cell] = await own.read({ system: systemKey(first), report: 'creatives', ...range }, 10);
  expect(cell!.amounts.waiting).toBe(4);
});

test('the oldest entries of a full spool are discarded and logged; invalid entries are discarded', async () => {
  const none: ReportStore = { ...own, add: () => Promise.reject(new Error('unavailable')) };
  const { counter, flusher, logged } = startProcess(
    () => none,
    () => at(20),
    2000,
  );
  for (let entry = 0; entry < 20; entry += 1) {
    counter.record(opened('one'));
    await flusher.flush();
  }
  expect(files().length).toBeLessThan(20);
  expect(logged).toContainEqual({ entries: expect.any(Number) });
  writeFileSync(join(folder, 'reports', 'torn.json'), '{"id":');
  writeFileSync(join(folder, 'reports', 'odd.json'), '[]');
  const kept = files().length - 2;
  const working = startProcess();
  expect(await working.flusher.writeToStores()).toBe(0);
  expect([files(), await started(first)]).toEqual([[], kept]);
});
