// SPDX-License-Identifier: Apache-2.0
// Numbers the series of reports: one system's report, grouped by one dimension or none, for one channel or for all.
import { inChunks } from '../../../../adapters/inChunks.ts';
import type { Sql } from '../../../../adapters/sql/sql.ts';
import { defined } from '../../../../invariant.ts';
import type { Dimension, ReportName } from '../../rules/catalogue.ts';

export type Series = {
  readonly system: string;
  readonly report: ReportName;
  /** Empty: not grouped. */
  readonly dimension: Exclude<Dimension, 'channel'> | '';
  /** Empty: the total of all channels. */
  readonly channel: string;
};

const nameOf = ({ system, report, dimension, channel }: Series): string =>
  [system, report, dimension, channel].join('\n');

const MAX_CACHED = 50_000;

export type SeriesNumbers = ReturnType<typeof sqlReportSeries>;

export function sqlReportSeries({ db, atomically }: Sql) {
  const known = new Map<string, number>();

  const ofReport = (system: string, report: ReportName) =>
    db.selectFrom('report_series').where('system', '=', system).where('report', '=', report);

  async function find(series: Series): Promise<number | undefined> {
    const name = nameOf(series);
    const number = known.get(name);
    if (number !== undefined) return number;
    const { system, report, dimension, channel } = series;
    const row = await ofReport(system, report)
      .select('id')
      .where('dimension', '=', dimension)
      .where('channel', '=', channel)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (known.size >= MAX_CACHED) known.clear();
    known.set(name, row.id);
    return row.id;
  }

  return {
    /** The numbers of the series of these channels, as far as they have one. */
    async findAll(series: Omit<Series, 'channel'>, channels: readonly string[]): Promise<number[]> {
      const [only = ''] = channels;
      if (channels.length <= 1)
        return channels.length === 0 ? [] : [await find({ ...series, channel: only })].flatMap((id) => id ?? []);
      const found: number[] = [];
      for (const some of inChunks(channels)) {
        const rows = await ofReport(series.system, series.report)
          .select('id')
          .where('dimension', '=', series.dimension)
          .where('channel', 'in', some)
          .execute();
        found.push(...rows.map(({ id }) => id));
      }
      return found;
    },
    /** Numbers the series that have no number. @returns a function that looks a number up */
    async ensure(series: readonly Series[]): Promise<(series: Series) => number> {
      const wanted = new Map(series.map((one) => [nameOf(one), one]));
      const numbers = new Map<string, number>();
      const findWanted = async () => {
        for (const [name, one] of wanted) {
          const number = await find(one);
          if (number === undefined) continue;
          numbers.set(name, number);
          wanted.delete(name);
        }
      };
      await findWanted();
      if (wanted.size > 0) {
        const add = (one: Series) =>
          db
            .insertInto('report_series')
            .values(one)
            .onConflict((conflict) => conflict.doNothing());
        await atomically([...wanted.values()].map(add));
        await findWanted();
        // The tenant was deleted meanwhile.
        for (const name of wanted.keys()) throw new Error(`Series ${name} was not stored.`);
      }
      return (one) => defined(numbers.get(nameOf(one)), 'a series that was stored has a number');
    },
    /** The ungrouped series of every channel. */
    channels: (system: string, report: ReportName) =>
      ofReport(system, report)
        .select(['id', 'channel'])
        .where('dimension', '=', '')
        .where('channel', '<>', '')
        .orderBy('channel')
        .execute(),
  };
}
