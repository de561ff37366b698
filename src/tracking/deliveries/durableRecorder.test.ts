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

/** A store that takes what it is given, in order, unless it is away; and a process that uses it, with a folder of its own. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-later-'));
  folders.push(folder);
  const store = { state: 'well' as 'well' | 'away' | 'mute', written: [] as string[], asked: 0 };
  const said: unknown[] = [];
  const count = { setAside: 0 };
  const record: WriteDelivery = (one) => {
    store.asked += 1;
    if (store.state === 'mute') return new Promise(() => {});
    if (store.state === 'away') return Promise.reject(new Error('away'));
    if (one.session.id === 'bad') return Promise.reject(new TypeError('nothing of the store'));
    expect(one).toEqual(delivery(one.segments[0]!, one.session.id));
    store.written.push(`${one.session.id}${one.segments[0]}`);
    return Promise.resolve('written');
  };
  /** Another one is the process after a restart: nothing is remembered but what is on disk. */
  const start = ({ maxInMemory = 3, path = folder, maxBytes = 1e6 } = {}) => {
    const files = createFileSpool(path, { maxBytes, leftAfter: -1 });
    const spool = createDeliverySpool(files, (lost) => void said.push({ lost }));
    const findSession = async (id: string) => (id === 'gone' ? undefined : session(id));
    const log = (_: string, facts: unknown) => void said.push(facts);
    const onQuarantine = () => {
      count.setAside += 1;
    };
    const rest = { spool, findSession, timers: systemTimers, log, onQuarantine };
    return createDurableRecorder({ record, ...rest, maxInMemory, timeoutMs: 20 });
  };
  const ending = (name: string) => readdirSync(folder).filter((one) => one.endsWith(name));
  const aside = () => ending('.aside').flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return { store, start, said, folder, count, ending, aside };
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

/** Each in a parcel of its own, by a process that was killed while the store was away. */
async function leaveParcels({ store, start }: ReturnType<typeof setUp>, deliveries: readonly Delivery[]) {
  store.state = 'away';
  for (const one of deliveries) {
    const { record } = start();
    // The store is away when three have failed, and they are one parcel.
    for (let time = 0; time < 3; time += 1) await record(one);
  }
  store.state = 'well';
}

test('parcels that cannot be written are set aside, and keep no other away', async () => {
  const all = setUp();
  const { store, start, said, count, ending, aside } = all;
  await leaveParcels(
    all,
    [0, 1, 2].map((segment) => delivery(segment, 'bad')),
  );
  await leaveParcels(all, [delivery(3), delivery(4)]);
  said.splice(0);
  const { retry, record } = start();
  await retry();
  await retry();
  expect(new Set(store.written)).toEqual(new Set(['v3', 'v4']));
  expect(count.setAside).toBe(0);
  // They are judged while others are written.
  for (let round = 5; round < 12; round += 1) {
    await record(delivery(round));
    await retry();
  }
  expect(store.written.at(-1)).toBe('v11');
  expect(count.setAside).toBe(3);
  expect(said.filter((one) => (one as { parcel?: string }).parcel !== undefined)).toHaveLength(3);
  expect([ending('.json').length, ending('.aside').length]).toEqual([0, 3]);
  expect(new Set(aside().map((line) => JSON.parse(line).sessionId))).toEqual(new Set(['bad']));
  // With its cause mended, an operator gives it its name back.
  const { folder } = all;
  for (const name of ending('.aside')) {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('"bad"', '"v"');
    writeFileSync(join(folder, name.replace(/aside$/, 'json')), text);
  }
  await start().retry();
  expect(new Set(store.written.slice(-9))).toEqual(new Set(['v0', 'v1', 'v2']));
});

test('one that cannot be written takes none of its parcel along', async () => {
  const all = setUp();
  const { store, start, count, ending, aside } = all;
  store.state = 'away';
  const killed = start();
  for (const one of [delivery(0), delivery(1, 'bad'), delivery(2), delivery(3)]) await killed.record(one);
  store.state = 'well';
  const { retry, record } = start();
  for (let round = 4; round < 8; round += 1) {
    await retry();
    await record(delivery(round));
  }
  expect(new Set(store.written)).toEqual(new Set(['v0', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7']));
  expect(aside().map((line) => JSON.parse(line).segments)).toEqual([[1]]);
  expect([count.setAside, ending('.json')]).toEqual([1, []]);
});

test('while the store is away nothing is set aside, however long it is and whatever was written before', async () => {
  const all = setUp();
  const { store, start, count, ending } = all;
  await leaveParcels(all, [delivery(0), delivery(1, 'bad'), delivery(2), delivery(3), delivery(4)]);
  const { retry, record } = start();
  await record(delivery(5));
  store.state = 'away';
  for (let round = 0; round < 20; round += 1) await retry();
  expect([count.setAside, ending('.aside')]).toEqual([0, []]);
  store.state = 'well';
  for (let round = 0; round < 3; round += 1) await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0', 'v2', 'v3', 'v4', 'v5']));
});

test('what fails for one viewer is not taken for a store that is away', async () => {
  const { store, start, said } = setUp();
  const { record, retry } = start();
  for (let segment = 0; segment < 10; segment += 1) {
    await record(delivery(segment, 'bad'));
    await record(delivery(segment));
    expect(store.written.at(-1)).toBe(`v${segment}`);
  }
  await retry();
  await record(delivery(10));
  expect(store.written.at(-1)).toBe('v10');
  expect(said).toEqual([]);
});

test('lines that are no deliveries, and files that cannot be read, are set aside', async () => {
  const all = setUp();
  const { store, start, folder, count, ending, aside } = all;
  await leaveParcels(all, [delivery(0)]);
  const [name] = ending('.json');
  const good = readFileSync(join(folder, name!), 'utf8');
  const odd = [{ at: 0.5 }, { kind: 'smell' }, { segments: [200] }, { adId: 7 }].map((fault) =>
    JSON.stringify({ ...JSON.parse(good.split('\n')[0]!), ...fault }),
  );
  writeFileSync(join(folder, name!), `${odd.join('\n')}\n{\n${good}{"torn`);
  mkdirSync(join(folder, 'folder.json'));
  const { retry } = start();
  for (let round = 0; round < 4; round += 1) await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0']));
  expect(ending('.json')).toEqual([]);
  rmdirSync(join(folder, 'folder.aside'));
  expect(aside()).toEqual([...odd, '{']);
  expect(count.setAside).toBe(2);
});
