// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createDeliverySpool } from '../../adapters/spool/deliverySpool.ts';
import { createFileSpool } from '../../adapters/spool/fileSpool.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import type { Session } from '../../sessions/session.ts';
import { millis } from '../../time/units.ts';
import type { Delivery } from './delivery.ts';
import { createDurableRecorder } from './durableRecorder.ts';
import type { WriteDelivery } from './recordDelivery.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const session = (id: string): Session => ({
  ...{ id, channelId: 'c', tenant: 't', life: 'l', format: 'hls', openedAt: millis(0), parameters: {} },
  viewer: { address: '192.0.2.1', userAgent: 'TV' },
});
const grid = Array.from({ length: 200 }, (_, index) => 2000 * (index + 1));
const delivery = (segment: number, viewer = 'v'): Delivery => ({
  ...{ session: session(viewer), adId: '1-2-0', startsAt: millis(1000), grid, kind: 'pictures' },
  ...{ segments: [segment], tracking: 'server', holdBack: 6000, at: millis(5000 + segment) },
});

/** A store that can be made unavailable, and a process with its own spool that uses it. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-spool-'));
  folders.push(folder);
  const store = { state: 'available' as 'available' | 'failing' | 'hanging', written: [] as string[], attempts: 0 };
  const logged: unknown[] = [];
  const count = { quarantined: 0 };
  const record: WriteDelivery = (one) => {
    store.attempts += 1;
    if (store.state === 'hanging') return new Promise(() => {});
    if (store.state === 'failing') return Promise.reject(new Error('unavailable'));
    if (one.session.id === 'bad') return Promise.reject(new TypeError('not a fault of the store'));
    expect(one).toEqual(delivery(one.segments[0]!, one.session.id));
    store.written.push(`${one.session.id}${one.segments[0]}`);
    return Promise.resolve('written');
  };
  /** A second call is the process after a restart: only what is on disk remains. */
  const start = ({ maxInMemory = 3, path = folder, maxBytes = 1e6 } = {}) => {
    const files = createFileSpool(path, { maxBytes, leftAfter: -1 });
    const spool = createDeliverySpool(files, (entries) => void logged.push({ entries }));
    const findSession = async (id: string) => (id === 'expired' ? undefined : session(id));
    const log = (_: string, facts: unknown) => void logged.push(facts);
    const onQuarantine = () => {
      count.quarantined += 1;
    };
    const rest = { spool, findSession, timers: systemTimers, log, onQuarantine };
    return createDurableRecorder({ record, ...rest, maxInMemory, timeoutMs: 20 });
  };
  const filesEndingWith = (name: string) => readdirSync(folder).filter((one) => one.endsWith(name));
  const quarantined = () =>
    filesEndingWith('.aside').flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return { store, start, logged, folder, count, filesEndingWith, quarantined };
}

test.each(['failing', 'hanging'] as const)('deliveries survive the process if the store is %s', async (state) => {
  const { store, start, logged } = setUp();
  store.state = state;
  const killed = start();
  for (const segment of [0, 1, 2]) await killed.record(delivery(segment));
  expect(logged).toEqual([{ error: expect.anything() }]);
  const next = start();
  if (state === 'failing') await next.retry();
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
  await Promise.all(Array.from({ length: 50 }, (_, segment) => record(delivery(segment))));
  const first = store.attempts;
  for (let segment = 50; segment < 100; segment += 1) await record(delivery(segment));
  expect(store.attempts).toBe(first);
  store.state = 'available';
  await record(delivery(100));
  expect(store.written).toEqual([]);
  await retry();
  expect(new Set(store.written).size).toBe(101);
  await record(delivery(101));
  expect(store.written.at(-1)).toBe('v101');
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
  const { store, start, logged, folder } = setUp();
  store.state = 'failing';
  const killed = start();
  await killed.record(delivery(0));
  await killed.record(delivery(1, 'expired'));
  await killed.record(delivery(2));
  const [name] = readdirSync(folder);
  const text = readFileSync(join(folder, name!), 'utf8');
  writeFileSync(join(folder, name!), `${text}{"sessionId":"v","adId"`);
  store.state = 'available';
  await start().retry();
  expect(store.written).toEqual(['v0', 'v2']);
  expect(logged.at(-1)).toEqual({ deliveries: 1 });
});

test('the oldest entry is discarded if the spool is full', async () => {
  const { store, start, logged } = setUp();
  store.state = 'failing';
  await start({ maxBytes: 200 }).record(delivery(0));
  await start({ maxBytes: 200 }).record(delivery(1));
  expect(logged.at(-1)).toEqual({ entries: 1 });
  store.state = 'available';
  await start().retry();
  expect(store.written).toEqual(['v1']);
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

/** Each delivery in its own entry, left by a process that was killed while the store was unavailable. */
async function leaveEntries({ store, start }: ReturnType<typeof setUp>, deliveries: readonly Delivery[]) {
  store.state = 'failing';
  for (const one of deliveries) {
    const { record } = start();
    // The store counts as unavailable after three failures; they are one entry.
    for (let attempt = 0; attempt < 3; attempt += 1) await record(one);
  }
  store.state = 'available';
}

test('entries that cannot be recorded are quarantined and do not block others', async () => {
  const all = setUp();
  const { store, start, logged, count, filesEndingWith, quarantined } = all;
  await leaveEntries(
    all,
    [0, 1, 2].map((segment) => delivery(segment, 'bad')),
  );
  await leaveEntries(all, [delivery(3), delivery(4)]);
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
  const { folder } = all;
  for (const name of filesEndingWith('.aside')) {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('"bad"', '"v"');
    writeFileSync(join(folder, name.replace(/aside$/, 'json')), text);
  }
  await start().retry();
  expect(new Set(store.written.slice(-9))).toEqual(new Set(['v0', 'v1', 'v2']));
});

test('an invalid delivery does not affect others of the same entry', async () => {
  const all = setUp();
  const { store, start, count, filesEndingWith, quarantined } = all;
  store.state = 'failing';
  const killed = start();
  for (const one of [delivery(0), delivery(1, 'bad'), delivery(2), delivery(3)]) await killed.record(one);
  store.state = 'available';
  const { retry, record } = start();
  for (let round = 4; round < 8; round += 1) {
    await retry();
    await record(delivery(round));
  }
  expect(new Set(store.written)).toEqual(new Set(['v0', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7']));
  expect(quarantined().map((line) => JSON.parse(line).segments)).toEqual([[1]]);
  expect([count.quarantined, filesEndingWith('.json')]).toEqual([1, []]);
});

test('nothing is quarantined while the store is unavailable', async () => {
  const all = setUp();
  const { store, start, count, filesEndingWith } = all;
  await leaveEntries(all, [delivery(0), delivery(1, 'bad'), delivery(2), delivery(3), delivery(4)]);
  const { retry, record } = start();
  await record(delivery(5));
  store.state = 'failing';
  for (let round = 0; round < 20; round += 1) await retry();
  expect([count.quarantined, filesEndingWith('.aside')]).toEqual([0, []]);
  store.state = 'available';
  for (let round = 0; round < 3; round += 1) await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0', 'v2', 'v3', 'v4', 'v5']));
});

test('failures of a single viewer do not count as an outage', async () => {
  const { store, start, logged } = setUp();
  const { record, retry } = start();
  for (let segment = 0; segment < 10; segment += 1) {
    await record(delivery(segment, 'bad'));
    await record(delivery(segment));
    expect(store.written.at(-1)).toBe(`v${segment}`);
  }
  await retry();
  await record(delivery(10));
  expect(store.written.at(-1)).toBe('v10');
  expect(logged).toEqual([]);
});

test('invalid lines and unreadable files are quarantined', async () => {
  const all = setUp();
  const { store, start, folder, count, filesEndingWith, quarantined } = all;
  await leaveEntries(all, [delivery(0)]);
  const [name] = filesEndingWith('.json');
  const good = readFileSync(join(folder, name!), 'utf8');
  const invalid = [{ at: 0.5 }, { kind: 'smell' }, { segments: [200] }, { adId: 7 }].map((fault) =>
    JSON.stringify({ ...JSON.parse(good.split('\n')[0]!), ...fault }),
  );
  writeFileSync(join(folder, name!), `${invalid.join('\n')}\n{\n${good}{"torn`);
  mkdirSync(join(folder, 'folder.json'));
  const { retry } = start();
  for (let round = 0; round < 4; round += 1) await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0']));
  expect(filesEndingWith('.json')).toEqual([]);
  rmdirSync(join(folder, 'folder.aside'));
  expect(quarantined()).toEqual([...invalid, '{']);
  expect(count.quarantined).toBe(2);
});
