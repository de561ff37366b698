// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import type { ReportResponse } from '../../../src/http/contract/reportContract.ts';
import type { SystemResponse } from '../../../src/http/contract/tenantContract.ts';
import { serverNow } from '../api/serverClock.ts';
import { useGet } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';
import { fieldLabel } from '../logic/format/labels.ts';
import { chartsByField, chartsByUnit } from '../logic/reports/reportCharts.ts';
import { dimensionLabels, reportDimensions } from '../logic/reports/reportDimensions.ts';
import { presetRange, previousDay, type Range, reportQuery } from '../logic/reports/reportRange.ts';
import { localSystem } from '../logic/systems/localSystem.ts';
import { CsvButton } from './CsvButton.tsx';
import { ReportChart } from './ReportChart.tsx';
import { type Filters, ReportFilters } from './ReportFilters.tsx';
import { ReportTable } from './ReportTable.tsx';
import { ReportTotals } from './ReportTotals.tsx';
import './reports.css';

/** The reports of a system as totals, charts and a table. */
export function ReportsPage() {
  const search = new URLSearchParams(useSearch());
  const systems = useGet<SystemResponse[]>('/systems');
  const system = search.get('system') ?? localSystem(systems.data ?? [])?.id;
  const names = useGet<string[]>(system === undefined ? null : `/systems/${system}/reports`);
  const name = search.get('report') ?? names.data?.[0];
  const [filters, setFilters] = useState<Filters>(() => ({
    ...{ range: presetRange('hour', serverNow()), interval: '', channel: '', groupBy: '', isCompared: false },
  }));
  const path =
    system === undefined || name === undefined ? null : `/systems/${system}/reports/${encodeURIComponent(name)}`;
  const dimensions = reportDimensions[name ?? ''] ?? [];
  const groupBy = dimensions.find((each) => each === filters.groupBy) ?? '';
  const pathFor = (range: Range) => `${path}?${reportQuery({ ...filters, range, groupBy })}`;
  const report = useGet<ReportResponse>(path && pathFor(filters.range));
  const isCompared = filters.isCompared && groupBy === '';
  const previous = useGet<ReportResponse>(path && isCompared ? pathFor(previousDay(filters.range)) : null);
  const { data } = report;
  const charts = useMemo(() => {
    if (data === undefined) return [];
    return groupBy === '' ? chartsByUnit(data, previous.data) : chartsByField(data);
  }, [data, previous.data, groupBy]);
  return (
    <>
      <PageHeader title="Reports">
        {path && data ? <CsvButton path={pathFor(filters.range)} name={name!} /> : null}
      </PageHeader>
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
            path: `/reports?system=${system}&report=${each}`,
            isCurrent: each === name,
          }))}
        />
      ) : null}
      <ReportFilters {...{ filters, system, dimensions }} systems={systems.data ?? []} onChange={setFilters} />
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
              {charts.map((chart) => (
                <ReportChart key={`${name} ${chart.title}`} chart={chart} />
              ))}
            </div>
          )}
          <ReportTable report={data} groupTitle={groupBy === '' ? undefined : dimensionLabels[groupBy]} />
        </div>
      ) : null}
    </>
  );
}
