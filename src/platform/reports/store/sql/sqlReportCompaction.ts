// SPDX-License-Identifier: Apache-2.0
// Rolls counts up into longer intervals and removes old short ones, in small batches. Each batch inserts the next
// number, so of two processes that roll up at once, one stores nothing. Reading and adding counts is in sqlReports.ts.

import { inChunks } from '../../../../adapters/inChunks.ts';
import type { Sql } from '../../../../adapters/sql/sql.ts';
import { isStoredOnce } from '../../../../adapters/sql/uniqueViolation.ts';
import { catalogue, peaked, type ReportName } from '../../rules/catalogue.ts';
import { steps } from '../../rules/query/tileRange.ts';
import { addRollup, emptyRollup, type MutableRollup, raisePeaks, readRollup, writeRollup } from '../../rules/rollup.ts';
import { GRACE, type Retention } from './sqlReports.ts';

const ROWS_PER_BATCH = 1000;
const ROWS_PER_STATEMENT = 200;
/** Batches per call; the next call continues. */
const MAX_BATCHES = 50;
/** An interval is rolled up this long after its end. Later counts are rolled up separately. */
const SETTLE_MS = 120_000;
/** Used numbers are kept, so that a process that was suspended cannot insert its number again. */
const NUMBERS_KEPT = 10_000;
const BATCH_IDS_KEPT_MS = 14 * 24 * 3_600_000;

const reportsWithPeaks = (Object.keys(catalogue) as ReportName[]).filter((report) => peaked[report].length > 0);

type RolledUp = { series: number; at: number; key: string; sum: MutableRollup };

/** Processes batches until one is not full. */
async function inBatches(process: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) if ((await process()) < ROWS_PER_BATCH) return;
}

export function sqlReportCompaction(store: Sql, keep: Retention) {
  const { db } = store;
  const ofStep = (step: number) => db.selectFrom('report_rollups').where('step', '=', step);

  /** The peak of a 10 s interval includes all of its rows, also those that were rolled up before. */
  async function addPeaks(groups: readonly RolledUp[], length: number): Promise<void> {
    const series = [...new Set(groups.map((one) => one.series))];
    const found = await db
      .selectFrom('report_series')
      .select(['id', 'report'])
      .where('id', 'in', series)
      .where('report', 'in', reportsWithPeaks)
      .execute();
    for (const { id, report } of found) {
      for (const group of groups.filter((one) => one.series === id)) {
        const parts = await ofStep(steps[0])
          .select(['at', 'body'])
          .where('series', '=', id)
          .where('at', '>=', group.at)
          .where('at', '<', group.at + length)
          .where('key', '=', group.key)
          .execute();
        const intervals = new Map<number, MutableRollup>();
        for (const { at, body } of parts) {
          const sum = intervals.get(at) ?? emptyRollup();
          addRollup(sum, readRollup(body));
          intervals.set(at, sum);
        }
        for (const { amounts } of intervals.values()) raisePeaks(group.sum, report as ReportName, amounts);
      }
    }
  }

  /** @returns how many rows of this step were rolled up; 0 if there are none or another process was faster */
  async function rollUp(step: number, next: number, before: number): Promise<number> {
    const last = await db
      .selectFrom('report_carries')
      .select(({ fn }) => fn.max('number').as('number'))
      .executeTakeFirst();
    const number = Number(last?.number ?? 0) + 1;
    const rows = await ofStep(step)
      .select(['seq', 'series', 'at', 'key', 'body'])
      .where('carried', '=', 0)
      .where('at', '<', before)
      .orderBy('at')
      .orderBy('seq')
      .limit(ROWS_PER_BATCH)
      .execute();
    if (rows.length === 0) return 0;
    const groups = new Map<string, RolledUp>();
    for (const { series, at, key, body } of rows) {
      const start = at - (at % next);
      const name = `${series} ${start} ${key}`;
      const group = groups.get(name) ?? { series, at: start, key, sum: emptyRollup() };
      addRollup(group.sum, readRollup(body));
      groups.set(name, group);
    }
    if (step === steps[0]) await addPeaks([...groups.values()], next);
    const carried = next === steps.at(-1) ? 1 : 0;
    const longer = [...groups.values()].map(({ sum, ...group }) => {
      return { ...group, step: next, carried, body: writeRollup(sum) };
    });
    const seqs = rows.map(({ seq }) => seq);
    const carrying = store.atomically([
      db.insertInto('report_carries').values({ number }),
      db.deleteFrom('report_carries').where('number', '<', number - NUMBERS_KEPT),
      ...inChunks(longer, ROWS_PER_STATEMENT).map((values) => db.insertInto('report_rollups').values(values)),
      ...inChunks(seqs, ROWS_PER_STATEMENT).map((some) =>
        db.updateTable('report_rollups').set({ carried: 1 }).where('seq', 'in', some),
      ),
    ]);
    return (await isStoredOnce(carrying)) ? rows.length : 0;
  }

  /** @returns how many rows were removed */
  async function removeOld(step: number, before: number): Promise<number> {
    const old = ofStep(step).select('seq').where('carried', '=', 1).where('at', '<', before).limit(ROWS_PER_BATCH);
    return Number((await db.deleteFrom('report_rollups').where('seq', 'in', old).executeTakeFirst()).numDeletedRows);
  }

  return {
    async compact(now: number): Promise<void> {
      const settled = now - SETTLE_MS;
      const [seconds, minutes, hours, days] = steps;
      for (const [step, next] of [
        [seconds, minutes],
        [minutes, hours],
        [hours, days],
      ] as const)
        await inBatches(() => rollUp(step, next, settled - (settled % next)));
      for (const length of steps) await inBatches(() => removeOld(length, now - keep[length] - 2 * GRACE));
      await db
        .deleteFrom('report_batches')
        .where('at', '<', now - BATCH_IDS_KEPT_MS)
        .execute();
    },
  };
}
