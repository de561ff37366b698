import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createDeliverySpool } from '../adapters/deliverySpool.ts';
import { createFileSpool } from '../adapters/fileSpool.ts';
import { systemTimers } from '../adapters/systemClock.ts';
import type { Session } from '../sessions/session.ts';
import { millis } from '../time/units.ts';
import type { Delivery } from './delivery.ts';
import { createRecordLater } from './recordLater.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const session = (id: string): Session => ({
  ...{ id, channelId: 'c', tenant: 't', life: 'l', format: 'hls', openedAt: millis(0), parameters: {} },
  viewer: { address: '192.0.2.1', userAgent: 'TV' },
});
const delivery = (segment: number, viewer = 'v'): Delivery => ({
  ...{ session: session(viewer), adId: '1-2-0', startsAt: millis(1000), grid: [2000, 4000], kind: 'pictures' },
  ...{ segments: [segment], tracking: 'server', holdBack: 6000, at: millis(5000 + segment) },
});

/** A store that takes what it is given, in order, unless it is away; and a process that uses it, with a folder of its own. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-later-'));
  folders.push(folder);
  const store = { state: 'well' as 'well' | 'away' | 'mute', written: [] as string[], asked: 0 };
  const said: unknown[] = [];
  const record = (one: Delivery): Promise<void> => {
    store.asked += 1;
    if (store.state === 'mute') return new Promise(() => {});
    if (store.state === 'away') return Promise.reject(new Error('away'));
    expect(one).toEqual(delivery(one.segments[0]!, one.session.id));
    store.written.push(`${one.session.id}${one.segments[0]}`);
    return Promise.resolve();
  };
  /** Another one is the process after a restart: nothing is remembered but what is on disk. */
  const start = ({ most = 3, path = folder, maxBytes = 1e6 } = {}) => {
    const files = createFileSpool(path, { maxBytes, leftAfter: -1 });
    const spool = createDeliverySpool(files, (lost) => void said.push({ lost }));
    const findSession = async (id: string) => (id === 'gone' ? undefined : session(id));
    const log = (_: string, facts: unknown) => void said.push(facts);
    return createRecordLater({ ...{ record, spool, findSession, timers: systemTimers, log, most }, patience: 20 });
  };
  return { store, start, said, folder };
}

test.each(['away', 'mute'] as const)('what a store that is %s did not take outlives the process', async (state) => {
  const { store, start, said } = setUp();
  store.state = state;
  const killed = start();
  for (const segment of [0, 1, 2]) await killed.record(delivery(segment));
  expect(said).toEqual([{ error: expect.anything() }]);
  const next = start();
  if (state === 'away') await next.retry();
  expect(store.written).toEqual([]);
  store.state = 'well';
  await next.retry();
  await next.retry();
  await start().retry();
  expect(store.written).toEqual(['v0', 'v1', 'v2']);
});

test('a store that is away is asked again by what waits, and not by every viewer', async () => {
  const { store, start } = setUp();
  store.state = 'away';
  const { record, retry } = start();
  await Promise.all(Array.from({ length: 50 }, (_, segment) => record(delivery(segment))));
  const first = store.asked;
  for (let segment = 50; segment < 100; segment += 1) await record(delivery(segment));
  expect(store.asked).toBe(first);
  store.state = 'well';
  await record(delivery(100));
  expect(store.written).toEqual([]);
  await retry();
  expect(new Set(store.written).size).toBe(101);
  await record(delivery(101));
  expect(store.written.at(-1)).toBe('v101');
});

test('what comes while others are written waits for the next time, and none is lost', async () => {
  const { store, start, folder } = setUp();
  store.state = 'away';
  const { record, retry } = start();
  await record(delivery(0));
  store.state = 'well';
  const late = Promise.all([1, 2, 3].map((segment) => record(delivery(segment))));
  await Promise.all([retry(), late]);
  await retry();
  expect([...store.written].sort()).toEqual(['v0', 'v1', 'v2', 'v3']);
  expect(readdirSync(folder)).toEqual([]);
});

test('a torn line, and viewers who are forgotten, hold up nobody', async () => {
  const { store, start, said, folder } = setUp();
  store.state = 'away';
  const killed = start();
  await killed.record(delivery(0));
  await killed.record(delivery(1, 'gone'));
  await killed.record(delivery(2));
  const [name] = readdirSync(folder);
  const text = readFileSync(join(folder, name!), 'utf8');
  writeFileSync(join(folder, name!), `${text}{"sessionId":"v","adId"`);
  store.state = 'well';
  await start().retry();
  expect(store.written).toEqual(['v0', 'v2']);
  expect(said.at(-1)).toEqual({ deliveries: 1 });
});

test('the oldest go when the spool is full', async () => {
  const { store, start, said } = setUp();
  store.state = 'away';
  await start({ maxBytes: 200 }).record(delivery(0));
  await start({ maxBytes: 200 }).record(delivery(1));
  expect(said.at(-1)).toEqual({ lost: 1 });
  store.state = 'well';
  await start().retry();
  expect(store.written).toEqual(['v1']);
});

test('without a disk they wait in memory, up to a bound', async () => {
  const { store, start, folder } = setUp();
  const path = join(folder, 'file');
  writeFileSync(path, '');
  store.state = 'away';
  const { record, retry } = start({ path });
  for (const segment of [0, 1, 2]) await record(delivery(segment));
  await expect(record(delivery(3))).rejects.toThrow('EEXIST');
  store.state = 'well';
  await retry().catch(() => {});
  await retry().catch(() => {});
  expect(store.written).toEqual(['v0', 'v1', 'v2']);
});
