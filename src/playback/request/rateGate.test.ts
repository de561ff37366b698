// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimerQueue } from '../../../test/clock/timerQueue.ts';
import { lawRuns } from '../../../test/lawRuns.ts';
import { naming } from '../../../test/naming.ts';
import type { SourceRates } from '../../sessions/ports.ts';
import { sleep } from '../../time/clock.ts';
import { millis } from '../../time/units.ts';
import { assignSlots, createRateGate, rateReason, slotLimits } from './rateGate.ts';

const source = { tenant: 't', id: 's', maxPerSecond: 10 };

/** A gate on a store that does what `reserve` does. */
function gateOn(reserve: SourceRates['reserve'], queue = createTimerQueue(0)) {
  const calls: number[] = [];
  const logged: string[] = [];
  const store: SourceRates = {
    reserve: (of, limits, at) => {
      calls.push(limits.length);
      return reserve(of, limits, at);
    },
  };
  const now = () => millis(queue.time());
  const gate = createRateGate({ store, now, timers: queue.timers, log: (message) => void logged.push(message) });
  async function pass(ms: number): Promise<void> {
    for (const until = queue.time() + ms; queue.time() < until; ) {
      queue.advanceTo(queue.time() + 10);
      await turn();
    }
  }
  return { ...gate, calls, logged, pass };
}

const unused = () => Promise.reject(new Error('not to be called'));
const away = () => Promise.reject(new Error('away'));
const from =
  (first: number): SourceRates['reserve'] =>
  async (_, limits) => ({
    clock: 0,
    first: 1000 * first,
    count: limits.filter((limit) => limit >= 1000 * first).length,
  });

test('requests to a source without a rate do not wait', async () => {
  const { enter } = gateOn(unused);
  expect(await enter({ tenant: 't', id: 's' }, 0)).toEqual({ kind: 'go', waitedMs: 0 });
});

test('requests that arrive together reserve together, and each waits for its slot', async () => {
  const { enter, calls, pass } = gateOn(from(50));
  const entries = [500, 0, 500].map((ms) => enter(source, ms));
  await pass(1000);
  expect(calls).toEqual([3]);
  expect(await Promise.all(entries)).toEqual([
    { kind: 'go', waitedMs: 60 },
    { kind: 'over', waitMs: 250 },
    { kind: 'go', waitedMs: 160 },
  ]);
});

test('a request that would wait too long is refused without the store', async () => {
  const { enter, calls, pass } = gateOn(from(5000));
  const first = enter(source, 6000);
  await pass(20);
  expect(await enter(source, 4000)).toEqual({ kind: 'over', waitMs: 5090 });
  expect(calls).toEqual([1]);
  await pass(6000);
  expect(await first).toEqual({ kind: 'go', waitedMs: 5010 });
});

test.each([
  ['fails', away],
  ['does not respond', () => new Promise<never>(() => {})],
])('the process keeps the rate alone while the store %s, and tries it again after seconds', async (_, reserve) => {
  const { enter, calls, logged, pass } = gateOn(reserve);
  const entries = [0, 1, 2].map(() => enter(source, 1000));
  await pass(1000);
  const waited = (await Promise.all(entries)).map((entry) => (entry.kind === 'go' ? entry.waitedMs : Number.NaN));
  expect(waited.map((ms) => Math.round((ms - (waited[0] ?? 0)) / 100))).toEqual([0, 1, 2]);
  const next = enter(source, 1000);
  await pass(500);
  expect(await next).toMatchObject({ kind: 'go' });
  expect([calls.length, logged.length]).toEqual([1, 1]);
  await pass(2000);
  void enter(source, 1000);
  await pass(20);
  expect(calls).toHaveLength(2);
});

test('a store that responds slowly keeps the rate of requests that may wait', async () => {
  const queue = createTimerQueue(0);
  const slow: SourceRates['reserve'] = async (...args) => {
    await sleep(queue.timers, 1500);
    return from(50)(...args);
  };
  const { enter, logged, pass } = gateOn(slow, queue);
  const entries = [4000, 4000].map((ms) => enter(source, ms));
  await pass(3000);
  expect(await Promise.all(entries)).toEqual([1560, 1660].map((waitedMs) => ({ kind: 'go', waitedMs })));
  expect(logged).toEqual([]);
});

test('a source that rests is not requested, also by requests that wait for their slots', async () => {
  const { enter, rest, pass } = gateOn(from(100));
  const waiting = enter(source, 500);
  await pass(50);
  rest(source, 1000);
  expect(await enter(source, 500)).toEqual({ kind: 'resting', untilMs: 1050 });
  await pass(100);
  expect(await waiting).toEqual({ kind: 'resting', untilMs: 1050 });
  await pass(1000);
  const later = enter(source, 500);
  await pass(200);
  expect(await later).toMatchObject({ kind: 'go' });
});

test('reasons name the rate, or when the source is requested again', () => {
  const over = rateReason({ kind: 'over', waitMs: 2340 }, source, millis(0));
  expect(over).toEqual({ code: 'RATE_REACHED', text: naming(10, '2.4') });
  const resting = rateReason({ kind: 'resting', untilMs: millis(3000) }, source, millis(1000));
  expect(resting).toEqual({ code: 'AD_SERVER_NOT_ASKED', text: naming(429, '2 s') });
});

test('slots are assigned to as many requests as possible', () => {
  const cases = fc.record({
    allowed: fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 12 }),
    wait: fc.integer({ min: 0, max: 2000 }),
    interval: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(cases, ({ allowed, wait, interval }) => {
      const limits = slotLimits(allowed, interval);
      expect(limits).toEqual([...limits].sort((a, b) => b - a));
      const count = limits.filter((limit) => limit >= 1000 * wait).length;
      const waits = assignSlots(allowed, { wait, count, interval });
      const used = waits.flatMap((own) => (own === undefined ? [] : [own])).sort((a, b) => a - b);
      expect(used).toEqual(Array.from({ length: count }, (_, index) => wait + index * interval));
      for (const [index, own] of waits.entries()) expect(own ?? 0).toBeLessThanOrEqual(allowed[index] ?? 0);
      // No order would use one slot more.
      const longest = [...allowed]
        .sort((a, b) => b - a)
        .slice(0, count + 1)
        .reverse();
      const fits = longest.length > count && longest.every((one, index) => wait + index * interval <= one);
      expect(fits).toBe(false);
    }),
    lawRuns(300),
  );
});
