// SPDX-License-Identifier: Apache-2.0
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import { Fact } from '../components/layout/Facts.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { Table } from '../components/layout/Table.tsx';
import { fieldLabel } from '../format/labels.ts';
import { formatValue, plural } from '../format/numbers.ts';
import { formatDateTime, formatDateTimeSeconds } from '../format/time.ts';
import { useOffset } from '../navigation/useQueryState.ts';
import { hasData, shownFields } from './reportCharts.ts';

const PAGE_SIZE = 15;
const MINUTE = 60_000;
/** Units of fields that have no value while nothing is counted. */
const RATES: ReadonlySet<string> = new Set(['ratio', 'ms']);

type ReportTableProps = {
  readonly report: ReportResponse;
  /** The title of the column of groups; undefined when the report is not grouped. */
  readonly groupTitle: string | undefined;
  readonly labelOf: (key: string) => string;
  /** `ranked`: one row per group, in the order of the report. */
  readonly order: 'newest' | 'ranked';
};

const isCounted = (time: string, { since, interval }: ReportResponse): boolean =>
  since === undefined || Date.parse(time) + interval > Date.parse(since);

/** The rows of a report. Those before the tenant existed are left out. */
export function ReportTable({ report, groupTitle, labelOf, order }: ReportTableProps) {
  const { offset: given, setOffset } = useOffset(PAGE_SIZE);
  // A link may have been opened when there were more rows.
  const counted = report.rows.filter(({ time }) => isCounted(time, report));
  const lastPage = Math.max(0, Math.ceil(counted.length / PAGE_SIZE) - 1);
  const offset = Math.min(given, lastPage * PAGE_SIZE);
  const fields = shownFields(report);
  const hidden = report.fields.length - fields.length;
  const isRanked = order === 'ranked';
  const rows = (isRanked ? counted : [...counted].reverse()).slice(offset, offset + PAGE_SIZE);
  const formatTime = report.interval < MINUTE ? formatDateTimeSeconds : formatDateTime;
  const columns = [
    ...(isRanked ? [] : [{ label: 'Time' }]),
    ...(groupTitle === undefined ? [] : [{ label: groupTitle }]),
    ...fields.map(({ name, description }) => ({
      label: fieldLabel(name),
      kind: 'right' as const,
      hint: description,
    })),
  ];
  return (
    <section class="stack tight">
      <h2>Data</h2>
      <Table columns={columns} isFocusable>
        {rows.map((row) => (
          <tr key={`${row.time} ${row.key ?? ''}`}>
            {isRanked ? null : <td class="nowrap">{formatTime(row.time)}</td>}
            {groupTitle === undefined ? null : <td class="name">{labelOf(String(row.key))}</td>}
            {fields.map(({ name, unit }) => (
              <td key={name} class="right">
                {RATES.has(unit) && !hasData(row, report.fields) ? '–' : formatValue(Number(row[name] ?? 0), unit)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <Pagination offset={offset} limit={PAGE_SIZE} total={counted.length} onChange={setOffset} />
      {counted.length < report.rows.length && report.since !== undefined ? (
        <p class="small muted">Nothing was counted before {formatDateTime(report.since)}.</p>
      ) : null}
      {hidden > 0 ? <p class="small muted">{plural(hidden, 'column')} with only zeros hidden.</p> : null}
      <details>
        <summary>Field definitions</summary>
        <dl class="facts">
          {report.fields.map(({ name, unit, description }) => (
            <Fact key={name} name={fieldLabel(name)}>
              {description} ({unit})
            </Fact>
          ))}
        </dl>
      </details>
    </section>
  );
}
