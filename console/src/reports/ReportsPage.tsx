import { useMemo, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import type { SystemAnswer } from '../../../src/http/tenantContract.ts';
import { useGet } from '../api/useGet.ts';
import { nameOfField } from '../logic/formatValue.ts';
import { ownSystem } from '../logic/ownSystem.ts';
import { dayBefore, presets, reportQuery } from '../logic/reportRange.ts';
import { chartsOf, type Report } from '../logic/reportRows.ts';
import { Empty } from '../parts/Empty.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { Tabs } from '../parts/Tabs.tsx';
import { CsvButton } from './CsvButton.tsx';
import { ReportChart } from './ReportChart.tsx';
import { type Asked, ReportFilters } from './ReportFilters.tsx';
import { ReportTable } from './ReportTable.tsx';
import { ReportTotals } from './ReportTotals.tsx';
import './reports.css';

/** Every report of a system, drawn and in numbers. */
export function ReportsPage() {
  const query = new URLSearchParams(useSearch());
  const systems = useGet<SystemAnswer[]>('/systems');
  const system = query.get('system') ?? ownSystem(systems.data ?? [])?.id;
  const names = useGet<string[]>(system === undefined ? null : `/systems/${system}/reports`);
  const name = query.get('report') ?? names.data?.[0];
  const [asked, setAsked] = useState<Asked>(() => {
    const end = Date.now();
    return { range: { start: end - presets.hour[1], end }, interval: '', channel: '', isCompared: false };
  });
  const path =
    system === undefined || name === undefined ? null : `/systems/${system}/reports/${encodeURIComponent(name)}`;
  const ask = (range: Asked['range']) => `${path}?${reportQuery(range, asked.interval, asked.channel)}`;
  const { data, error, isLoading, reload } = useGet<Report>(path && ask(asked.range));
  const previous = useGet<Report>(path && asked.isCompared ? ask(dayBefore(asked.range)) : null);
  const charts = useMemo(() => (data ? chartsOf(data, previous.data) : []), [data, previous.data]);
  return (
    <>
      <PageHead title="Reports">{path && data ? <CsvButton path={ask(asked.range)} name={name!} /> : null}</PageHead>
      <ErrorNotice error={systems.error ?? names.error} onRetry={systems.reload} />
      {names.data ? (
        <Tabs
          label="Reports"
          tabs={names.data.map((each) => ({
            name: nameOfField(each),
            path: `/reports?system=${system}&report=${each}`,
            isHere: each === name,
          }))}
        />
      ) : null}
      <ReportFilters asked={asked} systems={systems.data ?? []} system={system} onChange={setAsked} />
      <ErrorNotice error={error ?? previous.error} onRetry={reload} />
      {isLoading || names.isLoading || systems.isLoading ? <Loading lines={4} /> : null}
      {data ? (
        <div class="stack">
          <ReportTotals report={data} previous={previous.data} />
          {data.rows.length === 0 ? (
            <Empty icon="reports" title="Nothing in this range">
              <p>Choose a longer range.</p>
            </Empty>
          ) : (
            <div class="charts">
              {charts.map((chart) => (
                <ReportChart key={`${name} ${chart.unit}`} chart={chart} />
              ))}
            </div>
          )}
          <ReportTable report={data} />
        </div>
      ) : null}
    </>
  );
}
