// SPDX-License-Identifier: Apache-2.0
// A report as charts and table columns. It has no rules for single reports: the fields of a report define everything.
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import { capitalized, fieldLabel, groupLabel } from '../format/labels.ts';

type ReportField = ReportResponse['fields'][number];

export type Line = {
  readonly label: string;
  /** Index of the colour of the line; a line and the one of the time before share one. */
  readonly colour: number;
  readonly values: readonly (number | null)[];
  readonly isBefore: boolean;
};
/** Lines on one scale. */
export type Chart = {
  readonly title: string;
  readonly unit: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
};

/** More lines than this cannot be told from each other. */
const MAX_LINES = 6;
/** A report with more fields than this is mostly zeros: those without any value are hidden. */
const MAX_FIELDS = 8;

const unitTitles: Readonly<Record<string, string>> = {
  s: 'Seconds',
  ms: 'Milliseconds',
  ratio: 'Percent',
  bytes: 'Size',
};

const toSeconds = (time: string): number => Date.parse(time) / 1000;
/** A row in which nothing was counted is a gap: a line at zero would look like a measurement. */
export const hasData = (row: Readonly<Record<string, unknown>>, fields: readonly ReportField[]): boolean =>
  fields.some(({ name }) => typeof row[name] === 'number' && row[name] !== 0);
const fieldValue = (row: ReportResponse['rows'][number] | undefined, name: string): number | null => {
  const value = row?.[name];
  return typeof value === 'number' ? value : null;
};

/** The fields of a unit in the order of the report; of too many those with the largest totals. */
function largestFields({ fields, totals }: ReportResponse, unit: string): ReportField[] {
  const all = fields.filter((field) => field.unit === unit);
  const largest = [...all].sort((a, b) => (totals[b.name] ?? 0) - (totals[a.name] ?? 0)).slice(0, MAX_LINES);
  return all.filter((field) => largest.includes(field));
}

/** Fields that are shown: all of a few; of many the first one and those that counted anything. */
export const shownFields = ({ fields, totals }: ReportResponse): readonly ReportField[] =>
  fields.length <= MAX_FIELDS ? fields : fields.filter(({ name }, index) => index === 0 || (totals[name] ?? 0) !== 0);

/**
 * One chart per unit, in the order of the fields.
 * @param previous the same report of an earlier range; its rows are matched with those of `report` by their index
 */
export function chartsByUnit(report: ReportResponse, previous?: ReportResponse): Chart[] {
  const units = [...new Set(report.fields.map(({ unit }) => unit))];
  const times = report.rows.map(({ time }) => toSeconds(time));
  const linesOf = (fields: readonly ReportField[], rows: ReportResponse['rows'], isBefore: boolean): Line[] => {
    const filled = rows.map((row) => (hasData(row, report.fields) ? row : undefined));
    return fields.map(({ name }, colour) => ({
      label: fieldLabel(name),
      colour,
      values: times.map((_, index) => fieldValue(filled[index], name)),
      isBefore,
    }));
  };
  return units.map((unit) => {
    const fields = largestFields(report, unit);
    const lines = [
      ...linesOf(fields, report.rows, false),
      ...(previous === undefined ? [] : linesOf(fields, previous.rows, true)),
    ];
    return { title: unitTitles[unit] ?? capitalized(unit), unit, times, lines };
  });
}

/** One chart per field of a grouped report that counted anything, with a line for each of the largest groups. @param labelOf the label of a group */
export const chartsByField = (report: ReportResponse, labelOf: (key: string) => string = groupLabel): Chart[] =>
  shownFields(report)
    .filter(({ name }) => report.totals[name] !== 0)
    .map((field) => groupedChart(report, field, labelOf));

function groupedChart(report: ReportResponse, { name, unit }: ReportField, labelOf: (key: string) => string): Chart {
  const times = [...new Set(report.rows.map(({ time }) => time))].sort();
  const indexOf = new Map(times.map((time, index) => [time, index]));
  const groups = new Map<string, (number | null)[]>();
  for (const row of report.rows) {
    const index = indexOf.get(row.time);
    if (index === undefined || !hasData(row, report.fields)) continue;
    const values = groups.get(String(row.key)) ?? times.map(() => null);
    values[index] = Number(row[name] ?? 0);
    groups.set(String(row.key), values);
  }
  const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const largest = [...groups].sort(([, a], [, b]) => sum(b) - sum(a)).slice(0, MAX_LINES);
  const lines = largest.map(([key, values], colour) => ({
    label: labelOf(key),
    colour,
    values,
    isBefore: false,
  }));
  return { title: fieldLabel(name), unit, times: times.map(toSeconds), lines };
}

/** The values without a neighbour: a line does not show them. */
export const isolatedIndexes = (values: readonly (number | null | undefined)[]): number[] =>
  values.flatMap((value, index) => {
    const isAlone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
    return (value ?? null) !== null && isAlone ? [index] : [];
  });
