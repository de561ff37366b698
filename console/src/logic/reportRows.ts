// A report as lines to be drawn and rows to be read. It knows no report by name: everything is made of its fields.
import type { ReportAnswer } from '../../../src/http/reportContract.ts';

export type Report = ReportAnswer;
export type ReportField = Report['fields'][number];

export type Line = {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly (number | null)[];
  readonly isPrevious: boolean;
};
/** More lines than this nobody tells apart. */
export const MOST_LINES = 6;
/** A report of many fields is mostly zeros. */
const MOST_FIELDS = 8;

/** What shares a scale: fields of one unit. */
export type Chart = {
  readonly unit: string;
  readonly fields: readonly ReportField[];
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  /** The lines are keys, not fields. */
  readonly isByKey?: boolean;
};

const amountOf = (row: Report['rows'][number] | undefined, name: string): number | null =>
  typeof row?.[name] === 'number' ? (row[name] as number) : null;

/**
 * One chart for each unit, in the order of the fields.
 * @param previous the same stretch of the day before; its rows are laid under those of today by their place
 */
export function chartsOf(report: Report, previous?: Report): Chart[] {
  const units = [...new Set(report.fields.map(({ unit }) => unit))];
  const times = report.rows.map(({ time }) => Date.parse(time) / 1000);
  return units.map((unit) => {
    const fields = mostTelling(report, unit);
    const lines = fields.map(
      ({ name }): Line => ({ name, unit, values: report.rows.map((row) => amountOf(row, name)), isPrevious: false }),
    );
    const before =
      previous === undefined
        ? []
        : fields.map(
            ({ name }): Line => ({
              name,
              unit,
              values: report.rows.map((_, index) => amountOf(previous.rows[index], name)),
              isPrevious: true,
            }),
          );
    return { unit, fields, times, lines: [...lines, ...before] };
  });
}

/** The fields of a unit, where there are too many those with the largest totals, in the report's order. */
function mostTelling({ fields, totals }: Report, unit: string): ReportField[] {
  const all = fields.filter((field) => field.unit === unit);
  const largest = [...all].sort((a, b) => (totals[b.name] ?? 0) - (totals[a.name] ?? 0)).slice(0, MOST_LINES);
  return all.filter((field) => largest.includes(field));
}

/** The fields that are worth a column: all of a few, of many those that ever counted something, and the first. */
export const shownFields = ({ fields, totals }: Report): readonly ReportField[] =>
  fields.length <= MOST_FIELDS ? fields : fields.filter(({ name }, index) => index === 0 || (totals[name] ?? 0) !== 0);

/** `+12 %`, `−3 %`, `±0 %`; undefined where there was nothing to compare with. */
export function sayDifference(now: number, before: number | undefined): string | undefined {
  if (before === undefined || before === 0) return undefined;
  const percent = Math.round(((now - before) / Math.abs(before)) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)} %`;
}
