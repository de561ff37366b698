// SPDX-License-Identifier: Apache-2.0

import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import { HintText } from '../components/hints/HintText.tsx';
import { fieldLabel } from '../format/labels.ts';
import { formatChange, formatValue } from '../format/numbers.ts';
import { shownFields } from './reportCharts.ts';

type ReportTotalsProps = { readonly report: ReportResponse; readonly previous: ReportResponse | undefined };

/** Each field over the whole range, and its change from the previous day. */
export const ReportTotals = ({ report, previous }: ReportTotalsProps) => (
  <dl class="report-totals">
    {shownFields(report).map(({ name, unit, description }) => {
      const value = report.totals[name] ?? 0;
      const change = formatChange(value, previous?.totals[name]);
      return (
        <div key={name}>
          <dt>
            <HintText hint={description}>{fieldLabel(name)}</HintText>
          </dt>
          <dd>
            {formatValue(value, unit)} {change === undefined ? null : <small>{change}</small>}
          </dd>
        </div>
      );
    })}
  </dl>
);
