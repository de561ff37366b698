// SPDX-License-Identifier: Apache-2.0
// The report store keeps its contract on both databases, whatever has been rolled up into longer intervals, by one
// process or by several at once.
import { describe, expect, test } from 'vitest';
import { reportStoreContract } from '../../../../../test/search/reportStoreContract.ts';
import { onEachOpenStore } from '../../../../../test/servers/sqlStores.ts';
import { millis } from '../../../../time/units.ts';
import type { Measurement } from '../../rules/ports.ts';
import { sqlReportCompaction } from './sqlReportCompaction.ts';
import { reportRetention, sqlReports } from './sqlReports.ts';
import { sqlViewing } from './sqlViewing.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** A Monday, midnight. */
const today = Date.parse('2026-03-02T00:00:00Z');
const noon = today + 12 * HOUR;

onEachOpenStore((sql) => {
  const store = sqlReports(sql, reportRetention());
  const compactor = sqlReportCompaction(sql, reportRetention());

  describe('without compaction', () => reportStoreContract({ store: () => store, noon }));

  describe('with a compaction after every batch', () =>
    reportStoreContract({
      noon: noon + 30 * DAY,
      store: () => ({
        ...store,
        add: async (batch) => {
          await store.add(batch);
          // All intervals are settled, and none is old enough to be removed.
          await compactor.compact(noon + 30 * DAY + 12 * HOUR);
        },
      }),
    }));

  const countOpenRows = async () => {
    const rows = await sql.db.selectFrom('report_rollups').select(['step', 'carried']).execute();
    return rows.filter(({ carried }) => carried === 0).length;
  };
  const watching = (at: number, viewers: number): Measurement => ({
    report: 'viewers',
    channel: 'one',
    at: millis(at),
    keys: {},
    amounts: { watching: viewers },
  });

  test('concurrent compactions roll each row up once, and late counts are added', async () => {
    const system = 'late';
    const start = noon + 100 * DAY;
    const many = Array.from({ length: 360 }, (_, index) => watching(start + index * 10_000, 1 + (index % 7)));
    const truth = many.reduce((sum, { amounts }) => sum + amounts.watching!, 0);
    await store.add({ id: 'late/1', system, measurements: many });
    const compact = () => Promise.all([1, 2, 3].map(() => compactor.compact(start + 3 * HOUR)));
    const read = async () => {
      const question = { system, report: 'viewers', start: millis(start), end: millis(start + HOUR) } as const;
      const [hour] = await store.read({ ...question, interval: HOUR }, 10);
      const minutes = await store.read({ ...question, interval: MINUTE }, 1000);
      const sum = minutes.reduce((total, { amounts }) => total + amounts.watching!, 0);
      expect(hour!.amounts.watching).toBe(sum);
      return [sum, hour!.peaks.watching];
    };
    await compact();
    expect(await read()).toEqual([truth, 7]);
    await store.add({ id: 'late/2', system, measurements: [watching(start + 60_000, 100), watching(start, 3)] });
    const peak = 100 + many[6]!.amounts.watching!;
    expect((await read())[0]).toBe(truth + 103);
    await compact();
    expect(await read()).toEqual([truth + 103, peak]);
  });

  test('old short intervals are removed, and their counts remain in the longer ones', async () => {
    const system = 'old';
    const start = today + 200 * DAY;
    const measurements = Array.from({ length: 24 }, (_, hour) => watching(start + hour * HOUR, 2));
    await store.add({ id: 'old/1', system, measurements });
    await compactor.compact(start + 3 * DAY);
    expect(await countOpenRows()).toBe(0);
    const read = async (interval: number) =>
      (await store.read({ system, report: 'viewers', start: millis(start), end: millis(start + DAY), interval }, 9000))
        .map(({ amounts }) => amounts.watching!)
        .reduce((sum, amount) => sum + amount, 0);
    expect([await read(10_000), await read(MINUTE), await read(HOUR), await read(DAY)]).toEqual([0, 48, 48, 48]);
    await compactor.compact(start + 32 * DAY);
    expect([await read(MINUTE), await read(HOUR), await read(DAY)]).toEqual([0, 48, 48]);
    const resolutions = [0, 24 * HOUR + 1000, 26 * HOUR, 29 * DAY, 31 * DAY, 1000 * DAY];
    const at = (ago: number) => store.resolution(millis(start - ago), millis(start));
    expect(resolutions.map(at)).toEqual([10_000, 10_000, MINUTE, MINUTE, HOUR, HOUR]);
    await compactor.compact(start + 760 * DAY);
    expect(await read(DAY)).toBe(0);
  });

  test('a viewer counts once per interval, whichever batches contain them', async () => {
    const viewing = sqlViewing(sql);
    const [ann, bob, cho, dan] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'];
    expect(await viewing.note('1', 'one', millis(0), ann! + bob! + ann!)).toBe(2);
    expect(await viewing.note('2', 'one', millis(0), bob! + cho!)).toBe(1);
    expect(await viewing.note('2', 'one', millis(0), bob! + cho!)).toBe(1);
    expect(await viewing.note('1', 'one', millis(0), ann! + bob! + ann!)).toBe(2);
    expect(await viewing.note('3', 'one', millis(0), ann!)).toBe(0);
    expect(await viewing.note('1', 'one', millis(10_000), ann!)).toBe(1);
    expect(await viewing.note('1', 'two', millis(0), ann!)).toBe(1);
    const atOnce = await Promise.all(
      ['a', 'b', 'c', 'd'].map((batch) => viewing.note(batch, 'three', millis(0), ann! + bob! + cho! + dan!)),
    );
    expect(atOnce.sort()).toEqual([0, 0, 0, 4]);
    await viewing.forget(millis(10_000));
    expect(await viewing.note('4', 'one', millis(0), ann!)).toBe(1);
  });
});
