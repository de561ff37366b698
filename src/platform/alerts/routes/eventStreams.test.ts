// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createTimerQueue } from '../../../../test/clock/timerQueue.ts';
import type { EventStore, NumberedEvent } from '../rules/ports.ts';
import { createEventStreams } from './eventStreams.ts';

function setUp() {
  const rows: { tenant: string; seq: number }[] = [];
  const of = (tenant: string) => rows.filter((one) => one.tenant === tenant);
  const events = {
    after: async (tenant: string, seq: number, most: number) =>
      of(tenant)
        .filter((one) => one.seq > seq)
        .slice(0, most) as unknown as NumberedEvent[],
    newest: async (tenant: string) => of(tenant).at(-1)?.seq ?? 0,
  } as unknown as EventStore;
  const queue = createTimerQueue(0);
  const streams = createEventStreams({ events, timers: queue.timers });
  const open = async (options: { after?: number; seconds?: number; isAllowed?: () => Promise<boolean> } = {}) => {
    const { after, seconds = 300, isAllowed = async () => true } = options;
    const content = await streams.open('t', { after, seconds, isAllowed }, ({ seq }) => `event ${seq}`);
    return content[Symbol.asyncIterator]();
  };
  const add = (count: number, tenant = 't') => {
    for (let index = 0; index < count; index += 1) rows.push({ tenant, seq: rows.length + 1 });
  };
  const ids = (text: unknown) => [...String(text).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  return { streams, open, add, ids, advance: (ms: number) => queue.advanceTo(queue.time() + ms) };
}

test('a stream begins with the events after the last one that the client has, and misses none', async () => {
  const { streams, open, add, ids } = setUp();
  add(250);
  add(1, 'other');
  const resumed = await open({ after: 40 });
  await resumed.next();
  const read = async () => ids((await resumed.next()).value);
  expect([...(await read()), ...(await read()), ...(await read())]).toEqual(
    Array.from({ length: 210 }, (_, i) => 41 + i),
  );
  const pending = resumed.next();
  add(1);
  streams.wake(new Set(['other']));
  streams.wake(new Set(['t']));
  expect(ids((await pending).value)).toEqual([252]);
});

test('without a last event, only new ones are sent, and comments in between', async () => {
  const { streams, open, add, ids, advance } = setUp();
  add(3);
  const stream = await open();
  expect((await stream.next()).value).toContain('retry:');
  const beat = stream.next();
  await new Promise(setImmediate);
  advance(15_000);
  expect((await beat).value).toMatch(/^:/);
  add(1);
  streams.wake();
  expect(ids((await stream.next()).value)).toEqual([4]);
});

test('a stream ends after its time, when the client leaves, and when the process ends', async () => {
  const { streams, open, advance } = setUp();
  const [timed, left, last] = [await open({ seconds: 5 }), await open(), await open()];
  for (const one of [timed, left, last]) await one.next();
  const ends = [timed.next(), left.next(), last.next()];
  await new Promise(setImmediate);
  advance(5000);
  await left.return?.();
  streams.end();
  expect(await Promise.all(ends)).toMatchObject([{ done: true }, { done: true }, { done: true }]);
  await expect(open()).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
});

test('a tenant has a limited number of streams, also of those that are opened at once', async () => {
  const { open } = setUp();
  const opened = await Promise.allSettled(Array.from({ length: 50 }, () => open()));
  const [first, ...others] = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(others).toHaveLength(19);
  await expect(open()).rejects.toMatchObject({ kind: 'TOO_MANY_REQUESTS' });
  await first!.return?.();
  await open();
});

test('a last event that does not exist any more stands for the newest', async () => {
  const { streams, open, add, ids } = setUp();
  add(3);
  const stream = await open({ after: 999 });
  await stream.next();
  add(1);
  streams.wake();
  expect(ids((await stream.next()).value)).toEqual([4]);
});

test('a stream whose caller is not allowed any more ends with the next event or heartbeat, and sends no event', async () => {
  for (const next of ['event', 'heartbeat']) {
    const { streams, open, add, advance } = setUp();
    let mayRead = true;
    const stream = await open({ isAllowed: async () => mayRead });
    await stream.next();
    const pending = stream.next();
    await new Promise(setImmediate);
    mayRead = false;
    if (next === 'event') {
      add(1);
      streams.wake();
    } else advance(15_000);
    expect([next, (await pending).done]).toEqual([next, true]);
    // Its place is free again.
    for (let count = 0; count < 20; count += 1) await open();
    await expect(open()).rejects.toMatchObject({ kind: 'TOO_MANY_REQUESTS' });
  }
});

test('a stream that is woken more often than it beats sends heartbeats, too', async () => {
  const { streams, open, advance } = setUp();
  const stream = await open();
  await stream.next();
  const beat = stream.next();
  for (let seconds = 0; seconds < 15; seconds += 5) {
    await new Promise(setImmediate);
    advance(5000);
    streams.wake();
  }
  expect((await beat).value).toMatch(/^: heartbeat/);
});
