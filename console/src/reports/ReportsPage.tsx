// SPDX-License-Identifier: Apache-2.0

import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import { type Dimension, reportDimensions } from '../../../src/platform/reports/contract/reportValues.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { serverNow } from '../api/serverClock.ts';
import { useGet } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';
import { fieldLabel, groupLabel } from '../format/labels.ts';
import { useHashQuery } from '../navigation/hashLocation.ts';
import { changeQuery as changeQueryText } from '../navigation/queryState.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { noSearch, searchPath } from '../sessions/sessionSearch.ts';
import { localSystem } from '../systems/localSystem.ts';
import { ReportChart } from './ReportChart.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { ReportTable } from './ReportTable.tsx';
import { type Ranking, rankedReasons } from './rankedReasons.ts';
import { chartsByField, chartsByUnit, shownFields } from './reportCharts.ts';
import { dimensionLabels, previousDay, type Range, rangeOf, reportDefaults, reportQuery } from './reportRange.ts';
import { type ReportRequest, useReport } from './useReport.ts';
import './reports.css';
import { callText } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { HintText } from '../components/hints/useHint.tsx';
import { formatChange, formatCount, formatPercent, formatValue } from '../format/numbers.ts';

const emptyBreaksPath = ({ start, end }: Range, channel: string): string =>
  searchPath({ ...noSearch, channel, range: 'custom', from: start, to: end, outcome: 'empty' });

const defaults = { ...reportDefaults, page: '1' };

/** The reports of a system as totals, charts and a table. */
export function ReportsPage() {
  const [query, changeQuery] = useQueryState(defaults);
  const search = useHashQuery();
  /** When the page was opened or refreshed: reports end then. */
  const [openedAt, setOpenedAt] = useState(serverNow);
  const systems = useGet('/systems');
  const system = query.system || localSystem(systems.data ?? [])?.id;
  const names = useGet('/systems/{id}/reports', system === undefined ? null : { path: { id: system } });
  const name = query.report || names.data?.[0];
  const range = useMemo(() => rangeOf(query, openedAt), [query.range, query.from, query.to, openedAt]);
  const path = system === undefined || name === undefined ? null : { id: system, report: name };
  const dimensions: readonly Dimension[] =
    Object.entries(reportDimensions).find(([report]) => report === name)?.[1] ?? [];
  const groupBy = dimensions.find((each) => each === query.by) ?? '';
  const { interval, channel } = query;
  const queryFor = (of: Range) => reportQuery({ interval, channel, range: of, groupBy });
  const request = path && { path, query: queryFor(range) };
  const report = useReport(request);
  const isCompared = query.compare !== '' && groupBy === '';
  const earlier = path && isCompared ? { path, query: queryFor(previousDay(range)) } : null;
  const previous = useReport(earlier);
  const { data } = report;
  const groups = groupBy === 'channel' ? [...new Set((data?.rows ?? []).map(({ key }) => String(key)))] : [];
  const nameOf = useRecordNames('channels', groups);
  const labelOf = groupBy === 'channel' ? nameOf : groupLabel;
  const charts = useMemo(() => {
    if (data === undefined) return [];
    return groupBy === '' ? chartsByUnit(data, previous.data) : chartsByField(data, labelOf);
  }, [data, previous.data, groupBy, labelOf]);
  const ranking = data && rankedReasons(data, previous.data);
  return (
    <>
      <PageHeader title="Reports">{request && data ? <CsvButton request={request} /> : null}</PageHeader>
      {systems.data?.length === 0 ? (
        <EmptyState icon="systems" title="No system">
          <p>
            Reports belong to a system. Add one under <Link href="/systems">Systems</Link>.
          </p>
        </EmptyState>
      ) : null}
      {names.data ? (
        <Tabs
          label="Reports"
          tabs={names.data.map((each) => ({
            name: fieldLabel(each),
            path: `/reports?${changeQueryText(search, defaults, { report: each, page: '1' })}`,
            isCurrent: each === name,
          }))}
        />
      ) : null}
      <ReportFilters
        query={query}
        range={range}
        system={system}
        dimensions={dimensions}
        systems={systems.data ?? []}
        onChange={(changed) => changeQuery({ ...changed, page: '1' })}
        onRefresh={() => setOpenedAt(serverNow())}
      />
      {[systems, names, report, previous].map(({ error, reload }, index) => (
        <ErrorNotice key={index} error={error} onRetry={reload} />
      ))}
      {report.isLoading || names.isLoading || systems.isLoading ? <Loading lines={4} /> : null}
      {data ? (
        <div class="stack">
          <ReportTotals report={data} previous={previous.data} />
          {data.rows.length === 0 ? (
            <EmptyState icon="reports" title="No data">
              <p>Select a longer range.</p>
            </EmptyState>
          ) : (
            <div class="charts">
              {ranking ? <RankedReasons ranking={ranking} sessionsPath={emptyBreaksPath(range, channel)} /> : null}
              {charts.map((chart) => (
                <ReportChart key={`${name} ${chart.title}`} chart={chart} />
              ))}
            </div>
          )}
          <ReportTable
            report={data}
            labelOf={labelOf}
            groupTitle={groupBy === '' ? undefined : dimensionLabels[groupBy]}
          />
        </div>
      ) : null}
    </>
  );
}

const CSV = 'text/csv';

/** Downloads the rows of a report as CSV. */
function CsvButton({ request }: { readonly request: ReportRequest }) {
  const download = useAction(async () => {
    const csv = await callText('/systems/{id}/reports/{report}', { ...request, accept: CSV });
    const url = URL.createObjectURL(new Blob([csv], { type: CSV }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${request.path.report}.csv`;
    link.click();
    URL.revokeObjectURL(url);
  });
  return (
    <>
      <ErrorNotice error={download.error} />
      <Button icon="download" isBusy={download.isBusy} onClick={() => void download.run()}>
        Export CSV
      </Button>
    </>
  );
}

type ReportTotalsProps = { readonly report: ReportResponse; readonly previous: ReportResponse | undefined };

/** Each field over the whole range, and its change from the previous day. */
const ReportTotals = ({ report, previous }: ReportTotalsProps) => (
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

type RankedReasonsProps = {
  readonly ranking: Ranking;
  /** The page of the sessions with empty breaks in the range of the report. */
  readonly sessionsPath: string;
};

/** Reasons as bars, the most frequent first. */
const RankedReasons = ({ ranking: { title, none, reasons }, sessionsPath }: RankedReasonsProps) => (
  <section class="card ranked">
    <header>
      <h2>{title}</h2>
      {reasons.length === 0 ? null : (
        <Link class="small" href={sessionsPath}>
          View empty breaks
        </Link>
      )}
    </header>
    {reasons.length === 0 ? <p class="muted">{none}</p> : null}
    <ol>
      {reasons.map(({ name, label, description, count, share, before }) => (
        <li key={name}>
          <span>
            <HintText hint={description}>{label}</HintText>
          </span>
          <span class="right number">
            {formatCount(count)} <small>{formatChange(count, before)}</small>
          </span>
          <span class="right number">{formatPercent(share, 1)}</span>
          <progress max={1} value={share} aria-label={`Share of ${label}`} />
        </li>
      ))}
    </ol>
  </section>
);
