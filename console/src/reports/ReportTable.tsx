import { useState } from 'preact/hooks';
import { formatValue, nameOfField, nameOfLine } from '../logic/formatValue.ts';
import { type Report, shownFields } from '../logic/reportRows.ts';
import { formatDate } from '../logic/time.ts';
import { Pager } from '../parts/Pager.tsx';

const LIMIT = 15;

/** The rows in numbers, newest first; each column says what it counts. */
export function ReportTable({ report }: { readonly report: Report }) {
  const [offset, setOffset] = useState(0);
  const columns = shownFields(report);
  const isByKey = report.rows[0]?.key !== undefined;
  const leftOut = report.fields.length - columns.length;
  const rows = [...report.rows].reverse().slice(offset, offset + LIMIT);
  return (
    <section class="stack tight">
      <h2>In numbers</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div class="table-frame" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Time</th>
              {isByKey ? <th>Of</th> : null}
              {columns.map(({ name, description }) => (
                <th key={name} class="right" title={description}>
                  {nameOfField(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.time} ${row.key ?? ''}`}>
                <td class="nowrap">
                  {report.interval < 60_000 ? `${formatDate(row.time)}${row.time.slice(16, 19)}` : formatDate(row.time)}
                </td>
                {isByKey ? <td class="called">{nameOfLine(String(row.key), { isByKey })}</td> : null}
                {columns.map(({ name, unit }) => (
                  <td key={name} class="right">
                    {formatValue(Number(row[name] ?? 0), unit)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager {...{ offset, limit: LIMIT, total: report.rows.length }} onChange={setOffset} />
      {leftOut > 0 ? <p class="small quiet">{leftOut} columns without anything but zeros are left out.</p> : null}
      <details>
        <summary>What is counted</summary>
        <dl class="facts">
          {report.fields.map(({ name, unit, description }) => (
            <>
              <dt>{nameOfField(name)}</dt>
              <dd>
                {description} ({unit})
              </dd>
            </>
          ))}
        </dl>
      </details>
    </section>
  );
}
