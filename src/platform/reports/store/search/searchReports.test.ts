// SPDX-License-Identifier: Apache-2.0
// The report store of a search domain keeps the contract of all report stores. Runs against the fake server, or against
// a real domain (SEARCH_URL).
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { reportStoreContract } from '../../../../../test/search/reportStoreContract.ts';
import { noon, searchStores, watching } from '../../../../../test/search/searchStores.ts';
import { type Millis, millis } from '../../../../time/units.ts';
import type { ReportStore } from '../../rules/ports.ts';

const HOUR = 3_600_000;
const isReal = process.env.SEARCH_URL !== undefined;
const { open, server, settings, sumOf } = searchStores();

describe('the contract', () => {
  let store: ReportStore;
  beforeAll(() => {
    store = open();
  });
  reportStoreContract({
    noon,
    store: () => ({
      ...store,
      add: async (batch) => {
        await store.add(batch);
        await server().refresh();
      },
    }),
  });
});

test('reads more than one page of rows, across midnight', async () => {
  const store = open();
  const system = randomUUID();
  const from = noon + 11 * HOUR;
  const measurements = Array.from({ length: 6000 }, (_, index) => watching(from + index * 10_000, 1 + (index % 3)));
  await store.add({ id: system, system, measurements });
  await server().refresh();
  const question = { system, report: 'viewers', start: from as Millis, end: (from + 60_000_000) as Millis } as const;
  const cells = await store.read({ ...question, interval: 10_000 }, 11_000);
  expect(cells.map(({ row, amounts: { watching: viewers } }) => [row, viewers])).toEqual(
    measurements.map(({ amounts }, row) => [row, amounts.watching]),
  );
  expect((await store.read({ ...question, interval: 10_000 }, 100)).length).toBeGreaterThan(100);
});

describe('peaks', () => {
  const from = Date.parse('2026-01-05T00:00:00Z');
  const peaksOf = async (store: ReportStore, system: string, start: number, end: number, rest: object = {}) => {
    await server().refresh();
    const question = {
      system,
      report: 'viewers',
      start: millis(start),
      end: millis(end),
      interval: end - start,
    } as const;
    return (await store.read({ ...question, ...rest }, 1000)).map(({ key, peaks }) => [key, peaks.watching]);
  };

  test('of weeks are read with few queries', async () => {
    const [store, system] = [open(), randomUUID()];
    const hours = 24 * 7;
    const measurements = Array.from({ length: hours }, (_, hour) => [
      watching(from + hour * HOUR + 50_000, 1 + ((hour * 7) % 101)),
      { ...watching(from + hour * HOUR + 50_000, 2), channel: 'two' },
    ]).flat();
    await store.add({ id: system, system, measurements });
    const end = from + hours * HOUR;
    const before = server().searches();
    expect(await peaksOf(store, system, from, end)).toEqual([['', 103]]);
    if (!isReal) expect(server().searches() - before).toBeLessThan(5);
    expect(await peaksOf(store, system, from, end, { by: 'channel' })).toEqual([
      ['one', 101],
      ['two', 2],
    ]);
    expect(await peaksOf(store, system, from + 60_000, end, { channel: 'two', interval: 5 * HOUR })).toHaveLength(34);
    // Late counts of another process are included.
    await open(settings()).add({ id: `${system}/late`, system, measurements: [watching(from + 50_000, 500)] });
    expect(await peaksOf(store, system, from + 10_000, end)).toEqual([['', 503]]);
    expect(await peaksOf(store, system, from + 60_000, end)).toEqual([['', 103]]);
  });

  test('of an hour to which several processes write include all of them', async () => {
    const system = randomUUID();
    const stores = [open(), open(settings()), open(settings())];
    const write = (store: ReportStore, number: number) =>
      Promise.all(
        [0, 1, 2, 3].map((batch) =>
          store.add({
            id: `${system}/${number}/${batch}`,
            system,
            measurements: [watching(from, 1), watching(from + HOUR, 2)],
          }),
        ),
      );
    await Promise.all(stores.map(write));
    expect(await peaksOf(stores[0]!, system, from, from + HOUR)).toEqual([['', 12]]);
    expect(await peaksOf(stores[1]!, system, from, from + 2 * HOUR)).toEqual([['', 24]]);
  });
});

test('a missing index is empty', async () => {
  expect(await sumOf(open(), 'unknown', noon, noon + HOUR)).toBe(0);
});
