// The numbers that stand for series: a system's report, told apart by one dimension, of one channel or of all.
import type { Dimension, ReportName } from '../../../reports/catalogue.ts';
import type { Sql } from '../sql.ts';

export type Series = {
  readonly system: string;
  readonly report: ReportName;
  /** Empty: told apart by nothing. */
  readonly dimension: Exclude<Dimension, 'channel'> | '';
  /** Empty: all channels together. */
  readonly channel: string;
};

const nameOf = ({ system, report, dimension, channel }: Series): string =>
  [system, report, dimension, channel].join('\n');

const MOST_KNOWN = 50_000;

export type SeriesNumbers = {
  /** Gives a number to whatever has none yet. */
  ensure(series: readonly Series[]): Promise<(series: Series) => number>;
  find(series: Series): Promise<number | undefined>;
  /** Of every channel. */
  channels(system: string, report: ReportName): Promise<{ id: number; channel: string }[]>;
};

export function sqlReportSeries({ db, atomically }: Sql): SeriesNumbers {
  const known = new Map<string, number>();

  async function find(series: Series): Promise<number | undefined> {
    const name = nameOf(series);
    const number = known.get(name);
    if (number !== undefined) return number;
    const { system, report, dimension, channel } = series;
    const row = await db
      .selectFrom('report_series')
      .select('id')
      .where('system', '=', system)
      .where('report', '=', report)
      .where('dimension', '=', dimension)
      .where('channel', '=', channel)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, row.id);
    return row.id;
  }

  return {
    find,
    async ensure(series) {
      const missing: Series[] = [];
      const numbers = new Map<string, number>();
      const look = async (one: Series, isLast: boolean) => {
        const number = await find(one);
        if (number !== undefined) numbers.set(nameOf(one), number);
        else if (isLast) throw new Error(`the series ${nameOf(one)} was not stored`);
        else missing.push(one);
      };
      for (const one of series) await look(one, false);
      if (missing.length > 0) {
        const add = (one: Series) =>
          db
            .insertInto('report_series')
            .values({ ...one })
            .onConflict((conflict) => conflict.doNothing());
        await atomically(missing.map(add));
        for (const one of missing) await look(one, true);
      }
      return (one) => numbers.get(nameOf(one))!;
    },
    channels: (system, report) =>
      db
        .selectFrom('report_series')
        .select(['id', 'channel'])
        .where('system', '=', system)
        .where('report', '=', report)
        .where('dimension', '=', '')
        .where('channel', '<>', '')
        .orderBy('channel')
        .execute(),
  };
}
