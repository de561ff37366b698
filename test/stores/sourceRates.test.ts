// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRateGate, type RateEntry } from '../../src/playback/request/rateGate.ts';
import type { ReservedSlots, SourceRates } from '../../src/sessions/ports.ts';
import { slotInterval } from '../../src/sessions/sourceRates.ts';
import { millis } from '../../src/time/units.ts';
import { createTimerQueue } from '../clock/timerQueue.ts';
import { lawSeeds } from '../lawRuns.ts';
import { scratchFolder } from '../opened.ts';
import { seededRandom } from '../seededRandom.ts';
import { type OpenedStores, onEachSessionStore } from '../servers/sessionStores.ts';

const now = () => millis(Date.now());
const sourceOf = (id: string, maxPerSecond: number) => ({ tenant: 't', id, maxPerSecond });
const second = 1_000_000;
const many = (count: number, limit: number) => Array.from({ length: count }, () => limit);

type Source = ReturnType<typeof sourceOf>;

/** Microseconds, in order. */
const slotsOf = (reservations: readonly ReservedSlots[], source: Source): number[] =>
  reservations
    .flatMap(({ first, count }) => Array.from({ length: count }, (_, index) => first + index * slotInterval(source)))
    .sort((a, b) => a - b);

/** How many slots each second has that begins with one, without those that end after the last slot. */
const perSecond = (slots: readonly number[]): number[] =>
  slots
    .filter((from) => from + second <= (slots.at(-1) ?? 0))
    .map((from) => slots.filter((slot) => slot >= from && slot < from + second).length);

function expectApart(slots: readonly number[], source: Source): void {
  const distances = slots.slice(1).map((slot, index) => slot - (slots[index] ?? 0));
  expect(Math.min(...distances)).toBeGreaterThan(slotInterval(source) - 2);
}

/** Gates of several processes on a clock of their own, which stands still while the store works. */
async function gatesOn(count: number, open: () => Promise<OpenedStores>) {
  const queue = createTimerQueue(0);
  const reservations: ReservedSlots[] = [];
  const failures: object[] = [];
  let underWay = 0;
  const recorded = ({ reserve }: SourceRates): SourceRates => ({
    async reserve(...call) {
      underWay += 1;
      const reserved = await reserve(...call).finally(() => {
        underWay -= 1;
      });
      reservations.push(reserved);
      return reserved;
    },
  });
  const clock = { now, timers: queue.timers, log: (_: string, facts: object) => void failures.push(facts) };
  const gates: ReturnType<typeof createRateGate>[] = [];
  for (let each = 0; each < count; each += 1)
    gates.push(createRateGate({ ...clock, store: recorded((await open()).sourceRates) }));
  async function pass(ms: number): Promise<void> {
    for (const until = queue.time() + ms; queue.time() < until; ) {
      queue.advanceTo(queue.time() + 10);
      do await turn();
      while (underWay > 0);
    }
    expect(failures).toEqual([]);
  }
  return { gates, reservations, pass };
}

onEachSessionStore(scratchFolder(), ({ sourceRates: rates }, open) => {
  test('slots follow each other, over all processes, and not before now', async () => {
    const { sourceRates: other } = await open();
    const source = sourceOf('apart', 7);
    const one = await rates.reserve(source, many(3, second), now());
    expect(one).toEqual({ clock: one.clock, first: one.clock, count: 3 });
    expect(Math.abs(one.clock - 1000 * Date.now())).toBeLessThan(60 * second);
    const two = await other.reserve(source, many(70, 60 * second), now());
    expect(two.count).toBe(70);
    expect(Math.abs(two.first - one.first - 3 * slotInterval(source))).toBeLessThan(2);
    const three = await rates.reserve(source, many(1, 60 * second), now());
    expect(Math.abs(three.first - two.first - 10 * second)).toBeLessThan(2);
  });

  test('sources have rates of their own', async () => {
    await rates.reserve(sourceOf('mine', 1), many(9, 60 * second), now());
    for (const other of [{ ...sourceOf('mine', 1), tenant: 'other' }, sourceOf('yours', 1)]) {
      const { first, clock } = await rates.reserve(other, [0], now());
      expect(first).toBe(clock);
    }
  });

  test('as many slots are reserved as are of use', async () => {
    const source = sourceOf('limited', 1);
    await rates.reserve(source, many(40, 60 * second), now());
    const limits = [60 * second, 50 * second, 41 * second, 15 * second, 0];
    const some = await rates.reserve(source, limits, now());
    expect(some.count).toBe(3);
    const none = await rates.reserve(source, many(2, 10 * second), now());
    expect(none).toMatchObject({ count: 0, first: some.first + 3 * second });
    expect(await rates.reserve(source, [60 * second], now())).toMatchObject({ count: 1, first: none.first });
  });

  test('slots that are further ahead than any request waits are not believed', async () => {
    await rates.reserve(sourceOf('ahead', 0.01), many(5, 60 * second), now());
    const { first, clock } = await rates.reserve(sourceOf('ahead', 1000), [0], now());
    expect(first).toBe(clock);
  });

  test('parallel reservations of several processes never share a slot', async () => {
    const all = [rates, (await open()).sourceRates, (await open()).sourceRates];
    const source = sourceOf('parallel', 300);
    const calls = all.flatMap((one) => Array.from({ length: 20 }, () => one));
    const reservations = await Promise.all(
      calls.map((one, index) => one.reserve(source, many(1 + (index % 9), 60 * second), now())),
    );
    expectApart(slotsOf(reservations, source), source);
  });

  test('under demand at three processes, each second has as many requests as the rate allows', async () => {
    const { gates, reservations, pass } = await gatesOn(3, open);
    const source = sourceOf('busy', 130);
    const entries = gates.flatMap((gate) => Array.from({ length: 900 }, () => gate.enter(source, 15_000)));
    await pass(16_000);
    const settled = await Promise.all(entries);
    const slots = slotsOf(reservations, source);
    expect(settled.filter(({ kind }) => kind === 'go')).toHaveLength(slots.length);
    const counts = perSecond(slots);
    expect(counts.length).toBeGreaterThan(13 * 130);
    expect(Math.max(...counts)).toBeLessThanOrEqual(1.02 * 130);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(0.98 * 130);
  });

  test.each(lawSeeds(3))(
    'no slot is wasted, and no request is refused that has a slot in time (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const { gates, reservations, pass } = await gatesOn(3, open);
      const source = sourceOf(`random-${seed}`, 20 + Math.floor(200 * random()));
      const entries: Promise<RateEntry & { readonly allowed: number }>[] = [];
      for (let wave = 0; wave < 6; wave += 1) {
        for (const gate of gates)
          for (let each = Math.floor(150 * random()); each > 0; each -= 1) {
            const allowed = Math.floor(4000 * random() ** 2);
            entries.push(gate.enter(source, allowed).then((entry) => ({ ...entry, allowed })));
          }
        await pass(300);
      }
      await pass(5000);
      const settled = await Promise.all(entries);
      const slots = slotsOf(reservations, source);
      expectApart(slots, source);
      expect(settled.filter(({ kind }) => kind === 'go')).toHaveLength(slots.length);
      for (const entry of settled) {
        if (entry.kind === 'go') expect(entry.waitedMs).toBeLessThanOrEqual(entry.allowed + 30);
        if (entry.kind === 'over') expect(entry.waitMs).toBeGreaterThan(entry.allowed - 30);
      }
    },
  );
});
