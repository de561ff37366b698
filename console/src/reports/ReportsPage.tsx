import { useMemo, useState } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import type { SystemAnswer } from '../../../src/http/tenantContract.ts';
import { serverNow } from '../api/clock.ts';
import { useGet } from '../api/useGet.ts';
import { chartByKey } from '../logic/chartByKey.ts';
import { nameOfField } from '../logic/formatValue.ts';
import { ownSystem } from '../logic/ownSystem.ts';
import { reportDimensions } from '../logic/reportDimensions.ts';
import { dayBefore, lately, reportQuery } from '../logic/reportRange.ts';
import { chartsOf, type Report, shownFields } from '../logic/reportRows.ts';
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

/** Told apart, each field is a chart of its own: a line for each key. */
function drawn(report: Report | undefined, previous: Report | undefined, by: string) {
  if (report === undefined) return [];
  if (by === '') return chartsOf(report, previous).map((chart) => ({ name: chart.unit, chart }));
  return shownFields(report).flatMap(({ name }) => {
    const chart = chartByKey(report, name);
    return chart === undefined ? [] : [{ name, chart }];
  });
}

/** Every report of a system, drawn and in numbers. */
export function ReportsPage() {
  const query = new URLSearchParams(useSearch());
  const systems = useGet<SystemAnswer[]>('/systems');
  const system = query.get('system') ?? ownSystem(systems.data ?? [])?.id;
  const names = useGet<string[]>(system === undefined ? null : `/systems/${system}/reports`);
  const name = query.get('report') ?? names.data?.[0];
  const [asked, setAsked] = useState<Asked>(() => ({
    ...{ range: lately('hour', serverNow()), interval: '', channel: '', by: '', isCompared: false },
  }));
  const path =
    system === undefined || name === undefined ? null : `/systems/${system}/reports/${encodeURIComponent(name)}`;
  const known = reportDimensions[name ?? ''] ?? [];
  const by = known.find((each) => each === asked.by) ?? '';
  const ask = (range: Asked['range']) => `${path}?${reportQuery(range, asked.interval, asked.channel, by)}`;
  const { data, error, isLoading, reload } = useGet<Report>(path && ask(asked.range));
  const previous = useGet<Report>(path && asked.isCompared && by === '' ? ask(dayBefore(asked.range)) : null);
  const charts = useMemo(() => drawn(data, previous.data, by), [data, previous.data, by]);
  return (
    <>
      <PageHead title="Reports">{path && data ? <CsvButton path={ask(asked.range)} name={name!} /> : null}</PageHead>
      <ErrorNotice error={systems.error} onRetry={systems.reload} />
      <ErrorNotice error={names.error} onRetry={names.reload} />
      {systems.data?.length === 0 ? (
        <Empty icon="systems" title="No system">
          <p>
            Reports belong to a system, and there is none any more: <Link href="/systems">add one</Link>.
          </p>
        </Empty>
      ) : null}
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
      <ReportFilters
        asked={asked}
        systems={systems.data ?? []}
        system={system}
        dimensions={known}
        onChange={setAsked}
      />
      <ErrorNotice error={error} onRetry={reload} />
      <ErrorNotice error={previous.error} onRetry={previous.reload} />
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
              {charts.map(({ name: each, chart }) => (
                <ReportChart key={`${name} ${each}`} chart={chart} title={by === '' ? undefined : nameOfField(each)} />
              ))}
            </div>
          )}
          <ReportTable report={data} />
        </div>
      ) : null}
    </>
  );
}
