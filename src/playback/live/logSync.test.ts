// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../test/laws/manualClock.ts';
import { createLogSync } from './feedKeeper.ts';

type Store = { calls: number; respond: () => Promise<void> };

function open(): { clock: ManualClock; store: Store; sync: ReturnType<typeof createLogSync> } {
  const clock = createManualClock(1_000_000, () => false);
  const store: Store = { calls: 0, respond: async () => {} };
  const read = () => {
    store.calls += 1;
    return store.respond();
  };
  const sync = createLogSync({ ...clock, read, isInUse: () => true, onOutage: () => {}, visibleDelay: 1000 });
  sync.start();
  return { clock, store, sync };
}

/** @returns how long a viewer waits, in milliseconds */
const waitOf = async ({ clock, sync }: Pick<ReturnType<typeof open>, 'clock' | 'sync'>): Promise<number> =>
  (await clock.runUntil(Promise.resolve(sync.catchUp()))).ms;

test('viewers do not wait while the logs are read periodically', async () => {
  const { clock, store, sync } = open();
  for (let step = 0; step < 200; step += 1) {
    await clock.advance(37);
    expect(sync.catchUp()).toBeUndefined();
  }
  expect(store.calls).toBeGreaterThan(25);
  sync.stop();
});

test('viewers wait for a reading that is begun after their request, and share it', async () => {
  const { clock, store, sync } = open();
  const respond: (() => void)[] = [];
  store.respond = () => new Promise((resolve) => respond.push(resolve));
  await clock.advance(900);
  expect(respond).toHaveLength(1);
  let served = 0;
  for (let viewer = 0; viewer < 10; viewer += 1) void sync.catchUp()!.then(() => (served += 1));
  respond[0]!();
  await clock.advance(1);
  expect([respond.length, served]).toEqual([2, 0]);
  respond[1]!();
  await clock.advance(1);
  expect(served).toBe(10);
  sync.stop();
});

test('a store that responds slowly delays viewers for one reading', async () => {
  const { clock, store, sync } = open();
  store.respond = () => new Promise((resolve) => void clock.timers.after(400, resolve));
  const waits: number[] = [];
  for (let viewer = 0; viewer < 50; viewer += 1) {
    await clock.advance(90);
    waits.push(await waitOf({ clock, sync }));
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(800);
  sync.stop();
});

test.each(['rejects', 'does not respond'])(
  'viewers do not wait during an outage in which the store %s',
  async (how) => {
    const { clock, store, sync } = open();
    await clock.advance(1000);
    store.respond = how === 'rejects' ? () => Promise.reject(new Error('away')) : () => new Promise(() => {});
    await clock.advance(700);
    expect(await waitOf({ clock, sync })).toBeLessThanOrEqual(1000);
    await clock.advance(1500);
    for (let step = 0; step < 100; step += 1) {
      expect(sync.catchUp()).toBeUndefined();
      await clock.advance(130);
    }
    store.respond = async () => {};
    await clock.advance(2600);
    const before = store.calls;
    await clock.advance(1000);
    expect(store.calls).toBeGreaterThanOrEqual(before + 3);
    expect(sync.catchUp()).toBeUndefined();
    sync.stop();
  },
);
