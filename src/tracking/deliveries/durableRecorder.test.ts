// SPDX-License-Identifier: Apache-2.0
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTimerQueue } from '../../../test/clock/timerQueue.ts';
import { createDeliveryEntries } from '../../adapters/spool/deliveryEntries.ts';
import { createDeliveryJournal } from '../../adapters/spool/deliveryJournal.ts';
import { createFileSpool } from '../../adapters/spool/fileSpool.ts';
import { AppError } from '../../errors.ts';
import type { Session } from '../../sessions/session.ts';
import { millis } from '../../time/units.ts';
import type { Delivery } from './delivery.ts';
import { createDeliveryRecorder } from './deliveryRecorder.ts';
import { createDurableRecorder } from './durableRecorder.ts';
import { createJournalRoom } from './journalRoom.ts';
import type { DeliveryWriter } from './writeDeliveries.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const common = {
  channelId: 'c',
  tenant: 't',
  life: 'l',
  kind: 'schedule',
  format: 'hls',
  openedAt: millis(0),
} as const;
const viewer = { address: '192.0.2.1', userAgent: 'TV' };
const session = (id: string): Session => ({ ...common, id, parameters: {}, viewer });
const grid = Array.from({ length: 200 }, (_, index) => 2000 * (index + 1));
const delivery = (segment: number, of = 'v'): Delivery => ({
  ...{ session: session(of), adId: '1-2-0', startsAt: millis(1000), grid, kind: 'pictures' },
  ...{ segments: [segment], tracking: 'server', holdBack: 6000, at: millis(5000 + segment) },
});

/** A store that can be made unavailable, and a process with its own spool that uses it. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-spool-'));
  folders.push(folder);
  const store = { state: 'available' as 'available' | 'failing' | 'hanging', written: [] as string[], attempts: 0 };
  const logged: unknown[] = [];
  const count = { quarantined: 0, writes: 0 };
  const write: DeliveryWriter['write'] = async (deliveries) => {
    store.attempts += 1;
    if (store.state === 'hanging') return new Promise(() => {});
    if (store.state === 'failing') throw new AppError('UNAVAILABLE', 'The store is unavailable.');
    if (deliveries.some((one) => one.session.id === 'bad')) throw new TypeError('not a fault of the store');
    for (const one of deliveries) {
      expect(one).toEqual(delivery(one.segments[0]!, one.session.id));
      store.written.push(`${one.session.id}${one.segments[0]}`);
    }
    return deliveries.length;
  };
  /** What `away` refers to cannot be read, for example because one of several stores is unavailable. */
  const prepare: DeliveryWriter['prepare'] = async (deliveries) => {
    const failed = deliveries.filter((one) => one.session.id === 'away');
    return failed.length === 0 ? { failed } : { failed, error: new AppError('UNAVAILABLE', 'A part is unavailable.') };
  };
  let processes = 0;
  /** A second call is the process after a restart: only what is on disk remains. */
  const start = ({ maxInMemory = 3, path = folder, maxBytes = 1e6 } = {}) => {
    processes += 1;
    const owner = `process${processes}`;
    const log = (_: string, facts: unknown) => void logged.push(facts);
    const entries = createDeliveryEntries({ folder: path, owner, maxBytes, leftAfter: -1 });
    const files = createFileSpool(path, { maxBytes, leftAfter: -1 });
    const room = createJournalRoom(maxBytes, async (bytes) => {
      logged.push({ entries: await files.makeRoom(bytes) });
      return files.size();
    });
    const makeRoom = (bytes: number) => {
      count.writes += 1;
      return room.makeRoom(bytes);
    };
    return createDurableRecorder({
      journal: createDeliveryJournal({ folder: path, owner, leftAfter: 1e6, makeRoom }),
      recorder: createDeliveryRecorder({
        entries,
        writer: { prepare, write },
        findSession: async (id) => (id === 'expired' ? undefined : session(id)),
        log,
        onQuarantine: () => {
          count.quarantined += 1;
        },
      }),
      // Rounds begin only by `retry`.
      timers: createTimerQueue(0).timers,
      ...{ log, onRound: room.onRound, maxInMemory },
    });
  };
  const filesEndingWith = (name: string) => readdirSync(folder).filter((one) => one.endsWith(name));
  const quarantined = () =>
    filesEndingWith('.aside').flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  /** Each delivery in its own entry, left by a process that was killed while the store was unavailable. */
  const leaveEntries = async (...deliveries: Delivery[]) => {
    store.state = 'failing';
    for (const one of deliveries) await start().record(one);
    store.state = 'available';
  };
  /** All deliveries in one entry, left in the same way. */
  const leaveEntry = async (...deliveries: Delivery[]) => {
    store.state = 'failing';
    const killed = start();
    for (const one of deliveries) await killed.record(one);
    store.state = 'available';
  };
  return { store, start, logged, folder, count, filesEndingWith, quarantined, leaveEntries, leaveEntry };
}

test.each(['failing', 'hanging'] as const)('deliveries survive the process if the store is %s', async (state) => {
  const { store, start, logged } = setUp();
  store.state = state;
  const killed = start();
  for (const segment of [0, 1, 2]) await killed.record(delivery(segment));
  const next = start();
  if (state === 'failing') await next.retry();
  else {
    void killed.retry();
    await expect.poll(() => store.attempts).toBe(1);
  }
  expect(logged).toEqual(state === 'failing' ? [{ error: expect.anything() }] : []);
  expect(store.written).toEqual([]);
  store.state = 'available';
  await next.retry();
  await next.retry();
  await start().retry();
  expect(store.written).toEqual(['v0', 'v1', 'v2']);
});

test('while the store is unavailable, only retries write to it, not every request', async () => {
  const { store, start } = setUp();
  store.state = 'failing';
  const { record, retry } = start();
  for (let segment = 0; segment < 50; segment += 1) await record(delivery(segment));
  await retry();
  const first = store.attempts;
  for (let segment = 50; segment < 100; segment += 1) await record(delivery(segment));
  expect(store.attempts).toBe(first);
  store.state = 'available';
  await record(delivery(100));
  expect(store.written).toEqual([]);
  await retry();
  expect(new Set(store.written).size).toBe(101);
});

test('deliveries that arrive during a retry are kept for the next one, and none is lost', async () => {
  const { store, start, folder } = setUp();
  store.state = 'failing';
  const { record, retry } = start();
  await record(delivery(0));
  store.state = 'available';
  const late = Promise.all([1, 2, 3].map((segment) => record(delivery(segment))));
  await Promise.all([retry(), late]);
  await retry();
  expect([...store.written].sort()).toEqual(['v0', 'v1', 'v2', 'v3']);
  expect(readdirSync(folder)).toEqual([]);
});

test('a torn line and expired sessions do not block other deliveries', async () => {
  const { store, start, logged, folder, leaveEntry } = setUp();
  await leaveEntry(delivery(0), delivery(1, 'expired'), delivery(2));
  appendFileSync(join(folder, readdirSync(folder)[0]!), '{"sessionId":"v","adId"');
  await start().retry();
  expect(store.written).toEqual(['v0', 'v2']);
  expect(logged.at(-1)).toEqual({ deliveries: 1 });
});

test('the oldest entry is discarded if the journal is full during an outage', async () => {
  const { store, start, logged } = setUp();
  store.state = 'failing';
  const { record, retry } = start({ maxBytes: 2000 });
  await record(delivery(0));
  await retry();
  await record(delivery(1));
  expect(logged.at(-1)).toEqual({ entries: 1 });
  store.state = 'available';
  await retry();
  expect(store.written).toEqual(['v1']);
});

test('while the store is available, requests wait for room in a full journal, and nothing is discarded', async () => {
  const { store, start, count } = setUp();
  const { record, retry } = start({ maxBytes: 2000 });
  await record(delivery(0));
  const order: string[] = [];
  const second = record(delivery(1)).then(() => order.push('acknowledged'));
  await expect.poll(() => count.writes).toBe(2);
  await retry().then(() => order.push('round'));
  await second;
  expect(order).toEqual(['round', 'acknowledged']);
  await retry();
  expect(store.written).toEqual(['v0', 'v1']);
});

test('a repeated request costs nothing', async () => {
  const { store, start } = setUp();
  const { record, retry } = start();
  await record(delivery(0));
  await retry();
  for (let repeat = 0; repeat < 3; repeat += 1) await record(delivery(0));
  await retry();
  expect(store).toMatchObject({ attempts: 1, written: ['v0'] });
});

test('if the disk fails, deliveries wait in memory, up to a limit', async () => {
  const { store, start, folder } = setUp();
  const path = join(folder, 'file');
  writeFileSync(path, '');
  store.state = 'failing';
  const { record, retry } = start({ path });
  for (const segment of [0, 1, 2]) await record(delivery(segment));
  await expect(record(delivery(3))).rejects.toThrow('EEXIST');
  store.state = 'available';
  await retry().catch(() => {});
  await retry().catch(() => {});
  expect(store.written).toEqual(['v0', 'v1', 'v2']);
});

test('entries that cannot be recorded are quarantined and do not block others', async () => {
  const { store, start, logged, folder, count, filesEndingWith, quarantined, leaveEntries } = setUp();
  await leaveEntries(...[0, 1, 2].map((segment) => delivery(segment, 'bad')), delivery(3), delivery(4));
  logged.splice(0);
  const { retry, record } = start();
  await retry();
  await retry();
  expect(new Set(store.written)).toEqual(new Set(['v3', 'v4']));
  expect(count.quarantined).toBe(0);
  // Failures count only while others succeed.
  for (let round = 5; round < 12; round += 1) {
    await record(delivery(round));
    await retry();
  }
  expect(store.written.at(-1)).toBe('v11');
  expect(count.quarantined).toBe(3);
  expect(logged.filter((one) => (one as { entry?: string }).entry !== undefined)).toHaveLength(3);
  expect([filesEndingWith('.json').length, filesEndingWith('.aside').length]).toEqual([0, 3]);
  expect(new Set(quarantined().map((line) => JSON.parse(line).sessionId))).toEqual(new Set(['bad']));
  // After fixing the cause, an operator restores the name.
  for (const name of filesEndingWith('.aside')) {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('"bad"', '"v"');
    writeFileSync(join(folder, name.replace(/aside$/, 'json')), text);
  }
  await start().retry();
  expect(new Set(store.written.slice(-3))).toEqual(new Set(['v0', 'v1', 'v2']));
});

test('an invalid delivery does not affect others of the same entry', async () => {
  const { store, start, count, filesEndingWith, quarantined, leaveEntry } = setUp();
  await leaveEntry(delivery(0), delivery(1, 'bad'), delivery(2), delivery(3));
  const { retry, record } = start();
  for (let round = 4; round < 8; round += 1) {
    await retry();
    await record(delivery(round));
  }
  await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7']));
  expect(quarantined().map((line) => JSON.parse(line).segments)).toEqual([[1]]);
  expect([count.quarantined, filesEndingWith('.json')]).toEqual([1, []]);
});

test('nothing is quarantined while the store is unavailable', async () => {
  const { store, start, count, filesEndingWith, leaveEntries } = setUp();
  await leaveEntries(delivery(0), delivery(1, 'bad'), delivery(2), delivery(3), delivery(4));
  const { retry, record } = start();
  await record(delivery(5));
  store.state = 'failing';
  for (let round = 0; round < 20; round += 1) await retry();
  expect([count.quarantined, filesEndingWith('.aside')]).toEqual([0, []]);
  store.state = 'available';
  for (let round = 0; round < 3; round += 1) await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0', 'v2', 'v3', 'v4', 'v5']));
});

test('while a part of the store is unavailable, other deliveries are recorded, and none is quarantined', async () => {
  const { store, start, count, filesEndingWith } = setUp();
  const { record, retry } = start();
  for (let segment = 0; segment < 10; segment += 1) {
    await record(delivery(segment, 'away'));
    await record(delivery(segment));
    await retry();
    expect(store.written.at(-1)).toBe(`v${segment}`);
  }
  expect(new Set(store.written).size).toBe(10);
  expect([count.quarantined, filesEndingWith('.json').length]).toEqual([0, 10]);
});

test('failures of a single viewer do not count as an outage', async () => {
  const { store, start, logged } = setUp();
  const { record, retry } = start();
  for (let segment = 0; segment < 10; segment += 1) {
    await record(delivery(segment, 'bad'));
    await retry();
    await record(delivery(segment));
    await retry();
    expect(store.written.at(-1)).toBe(`v${segment}`);
  }
  expect(logged.filter((one) => (one as { entry?: string }).entry === undefined)).toEqual([]);
});

test('invalid lines and unreadable files are quarantined', async () => {
  const { store, start, folder, count, filesEndingWith, quarantined, leaveEntries } = setUp();
  await leaveEntries(delivery(0));
  const path = join(folder, filesEndingWith('.json')[0]!);
  const good = readFileSync(path, 'utf8');
  const invalid = [{ at: 0.5 }, { kind: 'smell' }, { segments: [200] }, { adId: 7 }].map((fault) =>
    JSON.stringify({ ...JSON.parse(good), ...fault }),
  );
  writeFileSync(path, `${invalid.join('\n')}\n{\n${good}{"torn`);
  mkdirSync(join(folder, 'folder.json'));
  const { retry } = start();
  for (let round = 0; round < 4; round += 1) await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0']));
  expect(filesEndingWith('.json')).toEqual([]);
  rmdirSync(join(folder, 'folder.aside'));
  expect(quarantined()).toEqual([...invalid, '{']);
  expect(count.quarantined).toBe(2);
});
