// SPDX-License-Identifier: Apache-2.0
// Why ads were not shown and why ad requests failed: the reasons of a report with their shares, the most frequent first.
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import { fieldLabel } from '../format/labels.ts';

type RankedReason = {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly count: number;
  /** 0 to 1, of everything that the reasons are counted of. */
  readonly share: number;
  /** In the range before; undefined without a comparison. */
  readonly before: number | undefined;
};
type Rule = {
  readonly title: string;
  /** What an empty list means. */
  readonly none: string;
  readonly of: string;
  readonly includes: (name: string) => boolean;
};

type Ranking = Pick<Rule, 'title' | 'none'> & { readonly reasons: readonly RankedReason[] };

const failures = ['errors', 'timeouts', 'empty'];
const rules: Readonly<Record<string, Rule>> = {
  skips: { title: 'Skip reasons', none: 'No ad was skipped.', of: 'total', includes: (name) => name !== 'total' },
  'ad-requests': {
    title: 'Requests without ads',
    none: 'All ad requests returned ads.',
    of: 'sent',
    includes: (name) => failures.includes(name),
  },
};

/** @returns undefined for a report without reasons */
export function rankedReasons(report: ReportResponse, previous?: ReportResponse): Ranking | undefined {
  const rule = rules[report.report];
  if (rule === undefined) return undefined;
  const all = report.totals[rule.of] ?? 0;
  const reasons = report.fields
    .filter(({ name }) => rule.includes(name) && (report.totals[name] ?? 0) > 0)
    .map(({ name, description }) => {
      const count = report.totals[name] ?? 0;
      const share = all === 0 ? 0 : count / all;
      return { name, label: fieldLabel(name), description, count, share, before: previous?.totals[name] };
    })
    .sort((a, b) => b.count - a.count);
  return { title: rule.title, none: rule.none, reasons };
}
