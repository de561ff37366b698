// One field of a report whose rows are told apart: a line for each key, of many those with the most.
import { type Chart, type Line, MOST_LINES, type Report } from './reportRows.ts';

/** @returns undefined where the report has no such field */
export function chartByKey(report: Report, fieldName: string): Chart | undefined {
  const field = report.fields.find(({ name }) => name === fieldName);
  if (field === undefined) return undefined;
  const times = [...new Set(report.rows.map(({ time }) => time))].sort();
  const placeOf = new Map(times.map((time, index) => [time, index]));
  const byKey = new Map<string, number[]>();
  for (const row of report.rows) {
    const values = byKey.get(String(row.key)) ?? times.map(() => 0);
    values[placeOf.get(row.time)!] = Number(row[fieldName] ?? 0);
    byKey.set(String(row.key), values);
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const largest = [...byKey].sort(([, a], [, b]) => sum(b) - sum(a)).slice(0, MOST_LINES);
  const lines = largest.map(([name, values]): Line => ({ name, unit: field.unit, values, isPrevious: false }));
  const fields = lines.map(({ name }) => ({ name, unit: field.unit, description: '' }));
  return { unit: field.unit, fields, times: times.map((time) => Date.parse(time) / 1000), lines, isByKey: true };
}
