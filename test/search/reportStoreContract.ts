// SPDX-License-Identifier: Apache-2.0
// The contract of all report stores: the same results for the same batches.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { binOf, percentile } from '../../src/platform/reports/rules/bins.ts';
import type { Cell, Measurement, ReportStore, StoreQuery } from '../../src/platform/reports/rules/ports.ts';
import { type Millis, millis } from '../../src/time/units.ts';

const MINUTE = 60_000;

export type ContractHost = {
  readonly store: () => ReportStore;
  /** The beginning of an hour, in milliseconds; the tests use the hours before and after it. */
  readonly noon: number;
};

/** Call inside a `describe`. Each test uses its own system. */
export function reportStoreContract({ store, noon }: ContractHost): void {
  const at = (ms: number): Millis => millis(noon + ms);
  const watching = (channel: string, ms: number, viewers: number): Measurement => ({
    ...{ report: 'viewers', channel, at: at(ms), keys: {} },
    amounts: { watching: viewers },
  });
  const add = (system: string, id: string, measurements: readonly Measurement[]) =>
    store().add({ id: `${system}/${id}`, system, measurements });
  const read = (system: string, report: StoreQuery['report'], rest: Partial<StoreQuery> = {}) =>
    store().read({ system, report, start: at(0), end: at(10 * MINUTE), interval: MINUTE, ...rest }, 11_000);
  const amounts = (cells: readonly Cell[]) => cells.map(({ row, key, amounts: sums }) => [row, key, sums]);

  test('counts are read by row, for a channel and by channel, without those of another system', async () => {
    const [ours, theirs] = [randomUUID(), randomUUID()];
    await add(ours, 'a', [watching('one', 0, 3), watching('two', 0, 4), watching('one', 70_000, 5)]);
    await add(theirs, 'a', [watching('one', 0, 100)]);
    expect(amounts(await read(ours, 'viewers'))).toEqual([
      [0, '', { watching: 7 }],
      [1, '', { watching: 5 }],
    ]);
    expect(amounts(await read(ours, 'viewers', { channels: ['two'] }))).toEqual([[0, '', { watching: 4 }]]);
    const byChannel = amounts(await read(ours, 'viewers', { by: 'channel' }));
    expect(new Set(byChannel.map((cell) => JSON.stringify(cell)))).toEqual(
      new Set(
        [
          [0, 'one', { watching: 3 }],
          [0, 'two', { watching: 4 }],
          [1, 'one', { watching: 5 }],
        ].map((cell) => JSON.stringify(cell)),
      ),
    );
    expect(amounts(await read(ours, 'viewers', { by: 'channel', channels: ['two'] }))).toEqual([
      [0, 'two', { watching: 4 }],
    ]);
    expect(amounts(await read(ours, 'viewers', { channels: ['two', 'one', 'unknown'] }))).toEqual([
      [0, '', { watching: 7 }],
      [1, '', { watching: 5 }],
    ]);
    expect(await read(ours, 'viewers', { channels: ['unknown'] })).toEqual([]);
    expect(await read(ours, 'viewers', { channels: [] })).toEqual([]);
    expect(await read(randomUUID(), 'viewers', { by: 'channel' })).toEqual([]);
  });

  test('a batch that is added repeatedly, also concurrently, counts once', async () => {
    const system = randomUUID();
    const batch = { id: `${system}/same`, system, measurements: [watching('one', 0, 3)] };
    await Promise.all([store().add(batch), store().add(batch)]);
    await store().add(batch);
    expect(amounts(await read(system, 'viewers'))).toEqual([[0, '', { watching: 3 }]]);
  });

  test('a boundary belongs to the row that begins there; the range includes its start but not its end', async () => {
    const system = randomUUID();
    await add(
      system,
      'a',
      [-10_000, 0, 50_000, 60_000, 590_000, 600_000].map((ms) => watching('one', ms, 1)),
    );
    const rows = async (rest: Partial<StoreQuery>) =>
      (await read(system, 'viewers', rest)).map(({ row, amounts: { watching: sum } }) => [row, sum]);
    expect(await rows({})).toEqual([
      [0, 2],
      [1, 1],
      [9, 1],
    ]);
    expect(await rows({ interval: 7 * MINUTE })).toEqual([
      [0, 3],
      [1, 1],
    ]);
    expect(await rows({ start: at(-10_000), interval: 10_000, end: at(20_000) })).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  test('a peak is the highest interval of all channels and processes together', async () => {
    const system = randomUUID();
    await add(system, 'a', [watching('one', 0, 3), watching('two', 10_000, 5), watching('one', 10_000, 1)]);
    await add(system, 'b', [watching('one', 0, 4)]);
    const peaks = async (rest: Partial<StoreQuery> = {}) =>
      (await read(system, 'viewers', rest)).map(({ key, peaks: { watching: peak } }) => [key, peak]);
    expect(await peaks()).toEqual([['', 7]]);
    expect(new Map((await peaks({ by: 'channel' })) as [string, number][])).toEqual(
      new Map([
        ['one', 7],
        ['two', 5],
      ]),
    );
    expect(await peaks({ channels: ['two'], interval: 10 * MINUTE })).toEqual([['', 5]]);
  });

  test('groups add up to the ungrouped total; measurements without the key are excluded', async () => {
    const system = randomUUID();
    const skip = (channel: string, creative: string, reason: string): Measurement => ({
      ...{ report: 'skips', channel, at: at(0), keys: { creative, reason } },
      amounts: { total: 1, [reason]: 1 },
    });
    await add(system, 'a', [
      skip('one', 'red', 'BREAK_FULL'),
      skip('one', 'blue', 'BREAK_FULL'),
      skip('two', 'red', 'NOT_LINEAR'),
      { report: 'creatives', channel: 'one', at: at(0), keys: {}, amounts: { waiting: 4 } },
      { report: 'creatives', channel: 'one', at: at(0), keys: { creative: 'red' }, amounts: { conditioned: 1 } },
    ]);
    expect(amounts(await read(system, 'skips'))).toEqual([[0, '', { total: 3, BREAK_FULL: 2, NOT_LINEAR: 1 }]]);
    const byKey = async (rest: Partial<StoreQuery>) =>
      Object.fromEntries((await read(system, 'skips', rest)).map(({ key, amounts: sums }) => [key, sums.total]));
    expect(await byKey({ by: 'reason' })).toEqual({ BREAK_FULL: 2, NOT_LINEAR: 1 });
    expect(await byKey({ by: 'creative' })).toEqual({ red: 2, blue: 1 });
    expect(await byKey({ by: 'creative', channels: ['one'] })).toEqual({ red: 1, blue: 1 });
    expect(amounts(await read(system, 'creatives'))).toEqual([[0, '', { waiting: 4, conditioned: 1 }]]);
    expect(amounts(await read(system, 'creatives', { by: 'creative' }))).toEqual([[0, 'red', { conditioned: 1 }]]);
  });

  test('histograms add up, so that percentiles can be computed', async () => {
    const system = randomUUID();
    const requests = (ms: number, adServer: string, latencies: readonly number[]): Measurement => {
      const bins: Record<number, number> = {};
      for (const latency of latencies) bins[binOf(latency)] = (bins[binOf(latency)] ?? 0) + 1;
      const amounts = { sent: latencies.length, answered: latencies.length };
      return { report: 'ad-requests', channel: 'one', at: at(ms), keys: { adServer }, amounts, bins };
    };
    await add(system, 'a', [requests(0, 'a', new Array(99).fill(10)), requests(30_000, 'b', [1000])]);
    const [cell] = await read(system, 'ad-requests');
    expect(percentile(cell!.bins, 50) / 10).toBeCloseTo(1, 1);
    expect(percentile(cell!.bins, 99) / 10).toBeCloseTo(1, 1);
    expect(percentile(cell!.bins, 100) / 1000).toBeCloseTo(1, 1);
    const byServer = await read(system, 'ad-requests', { by: 'adServer' });
    expect(byServer.map(({ key, bins }) => [key, Math.round(percentile(bins, 50) / 10)]).sort()).toEqual([
      ['a', 1],
      ['b', 100],
    ]);
  });

  test('a level is the last value, also from before the range', async () => {
    const system = randomUUID();
    const holds = (ms: number, bytes: number): Measurement => ({
      ...{ report: 'storage', channel: '', at: at(ms), keys: {} },
      amounts: { bytes, objects: 1 },
    });
    await add(system, 'a', [holds(-30 * MINUTE, 100), holds(-20 * MINUTE, 50)]);
    await add(system, 'b', [holds(0, 70), holds(30_000, 60), holds(20 * MINUTE, 999)]);
    const cells = await read(system, 'storage');
    expect(cells.map(({ row, levels, amounts: sums }) => [row, levels.bytes, sums])).toEqual([
      [-1, 50, {}],
      [0, 60, {}],
    ]);
  });

  test('names are kept exactly, whatever characters they contain', async () => {
    const system = randomUUID();
    const odd = ['', ' ', "it's", '"', '%', '_', '\\', '*', '🎬', 'a'.repeat(200), '0', 'null', '__proto__'];
    const decided = (creative: string): Measurement => ({
      ...{ report: 'ads', channel: 'one', at: at(0), keys: { creative } },
      amounts: { decided: 1 },
    });
    await add(system, 'a', odd.map(decided));
    const cells = await read(system, 'ads', { by: 'creative' });
    expect(cells.map(({ key }) => key).sort()).toEqual([...odd].sort());
  });
}
