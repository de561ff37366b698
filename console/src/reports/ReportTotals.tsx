import { formatValue, nameOfField } from '../logic/formatValue.ts';
import { type Report, sayDifference, shownFields } from '../logic/reportRows.ts';

type ReportTotalsProps = { readonly report: Report; readonly previous: Report | undefined };

/** Each field over the whole range, and against the day before. */
export const ReportTotals = ({ report, previous }: ReportTotalsProps) => (
  <dl class="report-totals">
    {shownFields(report).map(({ name, unit, description }) => {
      const value = report.totals[name] ?? 0;
      const difference = sayDifference(value, previous?.totals[name]);
      return (
        <div key={name} title={description}>
          <dt>{nameOfField(name)}</dt>
          <dd>
            {formatValue(value, unit)} {difference === undefined ? null : <small>{difference}</small>}
          </dd>
        </div>
      );
    })}
  </dl>
);
