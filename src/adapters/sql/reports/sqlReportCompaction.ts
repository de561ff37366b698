// Carries what was counted into longer stretches, and lets go of short ones that are old. In small batches, and by
// whoever comes first: each batch takes the next number, and of two who take the same one nothing is stored.
import { catalogue, peaked, type ReportName } from '../../../reports/catalogue.ts';
import { steps } from '../../../reports/query/cover.ts';
import { addRollup, emptySum, raisePeaks, readRollup, type Sum, writeRollup } from '../../../reports/rollup.ts';
import type { Sql } from '../sql.ts';
import { isUniqueViolation } from '../uniqueViolation.ts';
import { GRACE, type Retention } from './sqlReports.ts';

const ROWS = 1000;
const AT_ONCE = 200;
/** Batches in one go; what is left is for the next time. */
const ROUNDS = 50;
/** Milliseconds that a stretch is left alone for after its end: what comes late is carried by itself. */
const SETTLED = 120_000;
/** Whoever was asleep with an older number than these must not take it: it was taken. */
const NUMBERS_KEPT = 10_000;
const BATCHES_KEPT = 14 * 24 * 3_600_000;

const withPeaks = (Object.keys(catalogue) as ReportName[]).filter((report) => peaked(report).length > 0);

type Carried = { series: number; at: number; key: string; sum: Sum };

export type ReportCompactor = {
  /** @returns how many rows were carried and let go */
  compact(now: number): Promise<{ carried: number; gone: number }>;
};

export function sqlReportCompaction(store: Sql, keep: Retention): ReportCompactor {
  const { db } = store;

  /** Of a stretch of 10 s all parts count for its peak, also those that were carried before. */
  async function raise(groups: readonly Carried[], length: number): Promise<void> {
    const series = [...new Set(groups.map((one) => one.series))];
    const found = await db
      .selectFrom('report_series')
      .select(['id', 'report'])
      .where('id', 'in', series)
      .where('report', 'in', withPeaks)
      .execute();
    for (const { id, report } of found) {
      for (const group of groups.filter((one) => one.series === id)) {
        const parts = await db
          .selectFrom('report_rollups')
          .select(['at', 'body'])
          .where('series', '=', id)
          .where('step', '=', steps[0])
          .where('at', '>=', group.at)
          .where('at', '<', group.at + length)
          .where('key', '=', group.key)
          .execute();
        const stretches = new Map<number, Sum>();
        for (const { at, body } of parts) {
          const sum = stretches.get(at) ?? emptySum();
          addRollup(sum, readRollup(body));
          stretches.set(at, sum);
        }
        for (const { amounts } of stretches.values()) raisePeaks(group.sum, report as ReportName, amounts);
      }
    }
  }

  /** @returns how many rows of this length were carried; 0 when there are none or somebody else was faster */
  async function carry(level: number, before: number): Promise<number> {
    const [step, next] = [steps[level]!, steps[level + 1]!];
    const last = await db
      .selectFrom('report_carries')
      .select(({ fn }) => fn.max('number').as('number'))
      .executeTakeFirst();
    const number = Number(last?.number ?? 0) + 1;
    const rows = await db
      .selectFrom('report_rollups')
      .select(['seq', 'series', 'at', 'key', 'body'])
      .where('step', '=', step)
      .where('carried', '=', 0)
      .where('at', '<', before)
      .orderBy('at')
      .orderBy('seq')
      .limit(ROWS)
      .execute();
    if (rows.length === 0) return 0;
    const groups = new Map<string, Carried>();
    for (const { series, at, key, body } of rows) {
      const start = at - (at % next);
      const name = `${series} ${start} ${key}`;
      const group = groups.get(name) ?? { series, at: start, key, sum: emptySum() };
      addRollup(group.sum, readRollup(body));
      groups.set(name, group);
    }
    if (level === 0) await raise([...groups.values()], next);
    const isLast = level + 1 === steps.length - 1;
    const longer = [...groups.values()].map(({ series, at, key, sum }) => ({
      ...{ series, step: next, at, key },
      carried: isLast ? 1 : 0,
      body: writeRollup(sum),
    }));
    const parts = <Item>(items: readonly Item[]): Item[][] =>
      Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, index) =>
        items.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
      );
    const seqs = rows.map(({ seq }) => seq);
    try {
      await store.atomically([
        db.insertInto('report_carries').values({ number }),
        db.deleteFrom('report_carries').where('number', '<', number - NUMBERS_KEPT),
        ...parts(longer).map((values) => db.insertInto('report_rollups').values(values)),
        ...parts(seqs).map((some) => db.updateTable('report_rollups').set({ carried: 1 }).where('seq', 'in', some)),
      ]);
    } catch (error) {
      if (isUniqueViolation(error)) return 0;
      throw error;
    }
    return rows.length;
  }

  const letGo = (level: number, before: number) =>
    db
      .deleteFrom('report_rollups')
      .where('seq', 'in', (query) =>
        query
          .selectFrom('report_rollups')
          .select('seq')
          .where('step', '=', steps[level]!)
          .where('carried', '=', 1)
          .where('at', '<', before)
          .limit(ROWS),
      )
      .executeTakeFirst();

  return {
    async compact(now) {
      let [carried, gone] = [0, 0];
      for (let level = 0; level < steps.length - 1; level += 1) {
        const next = steps[level + 1]!;
        const settled = now - SETTLED;
        for (let round = 0; round < ROUNDS; round += 1) {
          const count = await carry(level, settled - (settled % next));
          carried += count;
          if (count < ROWS) break;
        }
      }
      for (let level = 0; level < steps.length; level += 1) {
        for (let round = 0; round < ROUNDS; round += 1) {
          const { numDeletedRows } = await letGo(level, now - keep[level]! - 2 * GRACE);
          gone += Number(numDeletedRows);
          if (Number(numDeletedRows) < ROWS) break;
        }
      }
      await db
        .deleteFrom('report_batches')
        .where('at', '<', now - BATCHES_KEPT)
        .execute();
      return { carried, gone };
    },
  };
}
