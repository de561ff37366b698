// SPDX-License-Identifier: Apache-2.0
// Counts reach their system exactly once, despite restarts, unavailable stores and several processes that write them.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolderInTest } from '../../../../../test/opened.ts';
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
import type { ReportName } from '../catalogue.ts';
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
const system = (name: string, type: System['type'], tenant = 'acme'): System => ({
  ...ownSystem(tenant, 'ann@example.com', new Date(start).toISOString()),
  name,
  type,
});
const first = system('first', 'ssai');
const second = system('second', 'ssai');
const cloud = system('cloud', 'cloud-media-services');
const channel = (id: string, systemId?: string) =>
  ({ id, tenant: 'acme', state: 'enabled', apiKey: id, ...(systemId ? { systemId } : {}) }) as Channel;

beforeEach(async () => {
  folder = scratchFolderInTest();
  sql = await openSqlite(folder);
  own = sqlReports(sql, reportRetention());
  systems = sqlSystems(sql, createSecretBox('a secret for tests'));
  const channels = sqlChannels(sql);
  for (const one of [first, second, cloud]) await systems.insert(one);
  for (const one of [channel('one'), channel('two', second.id), channel('far', cloud.id)]) await channels.insert(one);
});
afterEach(async () => {
  await sql.close();
});

/** A process with its own memory; spool and database are shared. */
function startProcess(storeFor: (system: System) => ReportStore = () => own, maxBytes = 1e6) {
  const counter = createCounter();
  const now = () => at(20);
  const logged: object[] = [];
  const flusher = createReportFlusher({
    counter,
    // File times are finer than the clock, so -1 makes a file that was written in this millisecond abandoned, too.
    spool: createFileSpool(join(folder, 'reports'), { maxBytes, leftAfter: -1 }),
    systems,
    now,
    storeFor,
    viewing: sqlViewing(sql),
    channelSystems: createChannelSystems({ channels: sqlChannels(sql), systems, now }),
    log: (_, facts) => void logged.push(facts),
  });
  return { counter, logged, ...flusher };
}
const opened = (id: string, seconds = 1, tenant = 'acme') =>
  ({ type: 'sessionOpened', at: at(seconds), channel: id, tenant }) as const;
const files = () => readdirSync(join(folder, 'reports'));

async function countsOf(one: System, report: ReportName) {
  const range = { start: at(0), end: at(1000), interval: 1_000_000 };
  const [cell] = await own.read({ system: systemKey(one), report, ...range }, 10);
  return { ...cell?.amounts, ...cell?.levels };
}
const started = async (one: System) => (await countsOf(one, 'viewers')).sessionsStarted ?? 0;

test('counts go to the system that the channel names, else to the first one; a cloud system does not count viewers', async () => {
  const { counter, flush, writeToStores } = startProcess();
  for (const id of ['one', 'two', 'two', 'far', 'gone']) counter.record(opened(id));
  for (const id of ['far', 'two'])
    counter.record({ ...opened(id), type: 'creativeConditioned', creative: 'red', isMade: true, ms: 5 });
  counter.record({ type: 'stored', at: at(1), tenant: 'acme', system: cloud.id, bytes: 10, objects: 1 });
  await flush();
  expect(await writeToStores()).toBe(0);
  expect(files()).toEqual([]);
  expect([await started(first), await started(second), await started(cloud)]).toEqual([3, 2, 0]);
  for (const one of [first, second, cloud]) expect(await countsOf(one, 'creatives')).toMatchObject({ conditioned: 1 });
  expect(await countsOf(cloud, 'storage')).toEqual({ bytes: 10, objects: 1 });
});

test('counts of a channel never go to another tenant that uses the same channel id later', async () => {
  const theirs = system('theirs', 'ssai', 'globex');
  await systems.insert(theirs);
  const { counter, flush, writeToStores } = startProcess();
  const countSessions = async (tenant: string, times: number) => {
    for (let time = 0; time < times; time += 1) counter.record(opened('one', 1, tenant));
    await flush();
    await writeToStores();
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
  const viewer = { id: 'viewer-one', channelId: 'one', tenant: 'acme' };
  dead.counter.watched(viewer, at(15));
  await dead.flush(true);
  const others = [startProcess(), startProcess(), startProcess()];
  for (const { counter, flush } of others) {
    counter.watched(viewer, at(16));
    await flush(true);
  }
  await Promise.all(others.map(({ writeToStores }) => writeToStores()));
  for (const { writeToStores } of others) await writeToStores();
  expect(files()).toEqual([]);
  expect(await countsOf(first, 'viewers')).toEqual({ sessionsStarted: 1, watching: 1 });
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
  const { counter, flush, writeToStores, logged } = startProcess(({ id }) => (id === second.id ? flaky : own));
  for (const seconds of [1, 2, 3]) {
    for (const id of ['one', 'two']) counter.record(opened(id, seconds));
    await flush();
    await writeToStores();
  }
  expect([await started(first), await started(second)]).toEqual([3, 0]);
  expect(logged.length).toBeGreaterThan(0);
  for (let tries = 0; tries < 12 && files().length > 0; tries += 1) {
    isUnavailable = false;
    await writeToStores();
  }
  // Until now every response was lost.
  expect(await startProcess().writeToStores()).toBe(0);
  expect([await started(first), await started(second), files()]).toEqual([3, 3, []]);
});

test('shared events count once if several processes report them', async () => {
  for (const { flushShared, writeToStores } of [startProcess(), startProcess()]) {
    await flushShared('waiting-0', [{ ...opened('one', 0), type: 'creativesWaiting', waiting: 4, failing: 0 }]);
    await writeToStores();
  }
  expect(await countsOf(first, 'creatives')).toEqual({ waiting: 4, failing: 0 });
});

test('the oldest entries of a full spool are discarded and logged; invalid entries are discarded', async () => {
  const none: ReportStore = { ...own, add: () => Promise.reject(new Error('unavailable')) };
  const { counter, flush, logged } = startProcess(() => none, 2000);
  for (let entry = 0; entry < 20; entry += 1) {
    counter.record(opened('one'));
    await flush();
  }
  expect(files().length).toBeLessThan(20);
  expect(logged).toContainEqual({ entries: expect.any(Number) });
  writeFileSync(join(folder, 'reports', 'torn.json'), '{"id":');
  writeFileSync(join(folder, 'reports', 'odd.json'), '[]');
  const kept = files().length - 2;
  expect(await startProcess().writeToStores()).toBe(0);
  expect([files(), await started(first)]).toEqual([[], kept]);
});
