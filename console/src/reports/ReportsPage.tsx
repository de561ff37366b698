// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { SystemResponse } from '../../../src/platform/access/contract/tenantContract.ts';
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
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
import { CsvButton } from './CsvButton.tsx';
import { RankedReasons } from './RankedReasons.tsx';
import { ReportChart } from './ReportChart.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { ReportTable } from './ReportTable.tsx';
import { ReportTotals } from './ReportTotals.tsx';
import { rankedReasons } from './rankedReasons.ts';
import { chartsByField, chartsByUnit } from './reportCharts.ts';
import { dimensionLabels, reportDimensions } from './reportDimensions.ts';
import { previousDay, type Range, rangeOf, reportDefaults, reportQuery } from './reportRange.ts';
import './reports.css';

const emptyBreaksPath = ({ start, end }: Range, channel: string): string =>
  searchPath({ ...noSearch, channel, range: 'custom', from: start, to: end, outcome: 'empty' });

const defaults = { ...reportDefaults, page: '1' };

/** The reports of a system as totals, charts and a table. */
export function ReportsPage() {
  const [query, changeQuery] = useQueryState(defaults);
  const search = useHashQuery();
  /** When the page was opened or refreshed: reports end then. */
  const [openedAt, setOpenedAt] = useState(serverNow);
  const systems = useGet<SystemResponse[]>('/systems');
  const system = query.system || localSystem(systems.data ?? [])?.id;
  const names = useGet<string[]>(system === undefined ? null : `/systems/${encodeURIComponent(system)}/reports`);
  const name = query.report || names.data?.[0];
  const range = useMemo(() => rangeOf(query, openedAt), [query.range, query.from, query.to, openedAt]);
  const path =
    system === undefined || name === undefined
      ? null
      : `/systems/${encodeURIComponent(system)}/reports/${encodeURIComponent(name)}`;
  const dimensions = reportDimensions[name ?? ''] ?? [];
  const groupBy = dimensions.find((each) => each === query.by) ?? '';
  const { interval, channel } = query;
  const pathFor = (of: Range) => `${path}?${reportQuery({ interval, channel, range: of, groupBy })}`;
  const report = useGet<ReportResponse>(path && pathFor(range));
  const isCompared = query.compare !== '' && groupBy === '';
  const previous = useGet<ReportResponse>(path && isCompared ? pathFor(previousDay(range)) : null);
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
      <PageHeader title="Reports">{path && data ? <CsvButton path={pathFor(range)} name={name!} /> : null}</PageHeader>
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
        {...{ query, range, system, dimensions }}
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
