// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Millis, millis } from '../../../../time/units.ts';
import { createCounter } from './counter.ts';

const at = (seconds: number): Millis => millis(1_700_000_000_000 + seconds * 1000);
const session = (channelId = 'one') => ({ id: randomUUID(), channelId });
const viewersByInterval = ({ viewing }: { viewing: readonly { at: number; viewers: string }[] }) =>
  Object.fromEntries(viewing.map((one) => [(one.at - at(0)) / 1000, one.viewers.length / 8]));

test('`take` returns an interval once, when it has ended; future intervals immediately; everything in the last call', () => {
  const counter = createCounter();
  counter.record({ type: 'sessionOpened', at: at(3), channel: 'one' });
  counter.record({ type: 'adDecided', at: at(33), channel: 'one', creative: 'red' });
  counter.record({ type: 'adDecided', at: at(33), channel: 'one', creative: 'red' });
  const first = counter.take(at(9), false);
  expect(first.measurements).toEqual([
    { report: 'ads', channel: 'one', at: at(30), keys: { creative: 'red' }, amounts: { decided: 2 } },
  ]);
  counter.record({ type: 'sessionOpened', at: at(9.999), channel: 'one' });
  const opened = { report: 'viewers', channel: 'one', at: at(0), keys: {}, amounts: { sessionsStarted: 2 } };
  expect(counter.take(at(10), false).measurements).toEqual([opened]);
  counter.record({ type: 'sessionOpened', at: at(11), channel: 'one' });
  expect(counter.take(at(12), false).measurements).toEqual([]);
  expect(counter.take(at(12), true).measurements).toHaveLength(1);
  expect(counter.take(at(50), true).measurements).toEqual([]);
});

test('a viewer counts once per interval, and in the intervals between two requests that are close together', () => {
  const counter = createCounter();
  const ann = session();
  for (const seconds of [1, 2, 3, 9, 11, 31]) counter.watched(ann, at(seconds));
  const bob = session();
  counter.watched(bob, at(5));
  counter.watched(bob, at(65));
  expect(viewersByInterval(counter.take(at(100), false))).toEqual({ 0: 2, 10: 1, 20: 1, 30: 1, 60: 1 });
});

test('channels of two tenants with the same id are counted separately', () => {
  const counter = createCounter();
  for (const tenant of ['acme', 'globex', 'globex']) {
    counter.record({ type: 'sessionOpened', at: at(1), channel: 'one', tenant });
    counter.served({ tenant, id: 'one' }, 'hls', 1, false, at(1));
    counter.watched({ ...session(), tenant }, at(1));
  }
  const { measurements, viewing } = counter.take(at(10), false);
  const amounts = (of: string) =>
    measurements.filter(({ tenant }) => tenant === of).map((one) => one.amounts.sessionsStarted ?? one.amounts.hls);
  expect([amounts('acme'), amounts('globex')]).toEqual([
    [1, 1],
    [2, 2],
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
    counter.served({ id: 'one' }, 'hls', 0.5, false, at(Math.floor(request / 101)));
  counter.served({ id: 'one' }, 'dash', 2, false, at(9));
  counter.served({ id: 'one' }, 'dash', 2, true, at(9));
  const [one, ...more] = counter.take(at(10), false).measurements;
  expect(more).toEqual([]);
  expect(one).toMatchObject({ report: 'requests', amounts: { hls: 1000, dash: 1, errors: 1 } });
  expect(Object.values(one!.bins!).sort()).toEqual([1, 1000]);
});

test('creative names are limited in number and length, and contain only characters that stores accept', () => {
  const counter = createCounter();
  const skip = (creative: string) =>
    counter.record({ type: 'adSkipped', at: at(0), channel: 'one', creative, reason: 'BREAK_FULL' });
  for (let made = 0; made < 5000; made += 1) skip(`creative ${made}`);
  skip('zero \u0000 half \ud800 🎬'.padEnd(5000, 'x'));
  const { measurements } = counter.take(at(10), false);
  const keys = measurements.map(({ keys: { creative } }) => creative!);
  expect(keys.length).toBe(1001);
  expect(keys).toContain('(other)');
  expect(measurements.reduce((sum, { amounts }) => sum + amounts.total!, 0)).toBe(5001);
  const second = createCounter();
  second.record({
    type: 'adSkipped',
    at: at(0),
    channel: 'one',
    reason: 'BREAK_FULL',
    creative: `zero \u0000 half \ud800 ${'🎬'.repeat(300)}`,
  });
  const [only] = second.take(at(10), false).measurements;
  expect(only!.keys.creative).toMatch(/^zero {3}half {3}(🎬)+$/u);
  expect([...only!.keys.creative!].length).toBeLessThanOrEqual(200);
});
