// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Millis, millis } from '../../../../time/units.ts';
import { createCounter } from './counter.ts';

const at = (seconds: number): Millis => millis(1_700_000_000_000 + seconds * 1000);
const of = { channel: 'one', tenant: 'acme' };
const one = { id: 'one', tenant: 'acme' };
const session = (tenant = 'acme') => ({ id: randomUUID(), channelId: 'one', tenant });
const opened = (seconds: number, tenant = 'acme') =>
  ({ type: 'sessionOpened', at: at(seconds), channel: 'one', tenant }) as const;
const skipped = (creative: string) =>
  ({ ...of, type: 'adSkipped', at: at(0), creative, reason: 'BREAK_FULL', ms: 0 }) as const;

test('`take` returns an interval once, when it has ended; future intervals immediately; everything in the last call', () => {
  const counter = createCounter();
  const decided = { ...of, type: 'adDecided', at: at(33), creative: 'red' } as const;
  for (const event of [opened(3), decided, decided]) counter.record(event);
  expect(counter.take(at(9), false).measurements).toMatchObject([
    { ...of, report: 'ads', at: at(30), keys: { creative: 'red' }, amounts: { decided: 2 } },
    { ...of, report: 'demand-funnel', at: at(30), keys: {}, amounts: { offered: 2, chosen: 2 } },
  ]);
  counter.record(opened(9.999));
  expect(counter.take(at(10), false).measurements).toEqual([
    { ...of, report: 'viewers', at: at(0), keys: {}, amounts: { sessionsStarted: 2 } },
  ]);
  counter.record(opened(11));
  expect(counter.take(at(12), false).measurements).toEqual([]);
  expect(counter.take(at(12), true).measurements).toHaveLength(1);
  expect(counter.take(at(50), true).measurements).toEqual([]);
});

test('a viewer counts once per interval, and in the intervals between two requests that are close together', () => {
  const counter = createCounter();
  const [ann, bob] = [session(), session()];
  for (const seconds of [1, 2, 3, 9, 11, 31]) counter.watched(ann, at(seconds));
  for (const seconds of [5, 65]) counter.watched(bob, at(seconds));
  const { viewing } = counter.take(at(100), false);
  const counts = viewing.map((some) => [(some.at - at(0)) / 1000, some.viewers.length / 8]);
  expect(Object.fromEntries(counts)).toEqual({ 0: 2, 10: 1, 20: 1, 30: 1, 60: 1 });
});

test('channels of two tenants with the same id are counted separately', () => {
  const counter = createCounter();
  for (const tenant of ['acme', 'globex', 'globex']) {
    counter.record(opened(1, tenant));
    counter.served({ tenant, id: 'one' }, 'hls', 1, false, at(1));
    counter.watched(session(tenant), at(1));
  }
  const { measurements, viewing } = counter.take(at(10), false);
  expect(measurements.map(({ tenant, amounts }) => [tenant, amounts.sessionsStarted ?? amounts.hls]).sort()).toEqual([
    ['acme', 1],
    ['acme', 1],
    ['globex', 2],
    ['globex', 2],
  ]);
  expect(viewing.map(({ tenant, viewers }) => [tenant, viewers.length / 8])).toEqual([
    ['acme', 1],
    ['globex', 2],
  ]);
});

test('the same viewer has the same mark in every process', () => {
  const ann = session();
  const marks = [createCounter(), createCounter()].map((counter) => {
    counter.watched(ann, at(1));
    return counter.take(at(20), false).viewing[0]!.viewers;
  });
  expect(marks[0]).toHaveLength(8);
  expect(marks[1]).toBe(marks[0]);
});

test('all manifest requests of a channel and interval are one measurement', () => {
  const counter = createCounter();
  for (let request = 0; request < 1000; request += 1)
    counter.served(one, 'hls', 0.5, false, at(Math.floor(request / 101)));
  counter.served(one, 'dash', 2, false, at(9));
  counter.served(one, 'dash', 2, true, at(9));
  const [served, ...more] = counter.take(at(10), false).measurements;
  expect(more).toEqual([]);
  expect(served).toMatchObject({ report: 'requests', amounts: { hls: 1000, dash: 1, errors: 1 } });
  expect(Object.values(served!.bins!).sort()).toEqual([1, 1000]);
});

test('creative names are limited in number and length, and contain only characters that stores accept', () => {
  const counter = createCounter();
  for (let made = 0; made < 5000; made += 1) counter.record(skipped(`creative ${made}`));
  counter.record(skipped('zero \u0000 half \ud800 🎬'.padEnd(5000, 'x')));
  const measurements = counter.take(at(10), false).measurements.filter(({ report }) => report === 'skips');
  expect(measurements).toHaveLength(1001);
  expect(measurements.map(({ keys }) => keys.creative)).toContain('(other)');
  expect(measurements.reduce((sum, { amounts }) => sum + amounts.total!, 0)).toBe(5001);
  counter.record(skipped(`zero \u0000 half \ud800 ${'🎬'.repeat(300)}`));
  const [{ keys }] = counter.take(at(10), true).measurements as [(typeof measurements)[number]];
  expect(keys.creative).toMatch(/^zero {3}half {3}(🎬)+$/u);
  expect([...keys.creative!].length).toBeLessThanOrEqual(200);
});
