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
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';
import { fieldLabel, groupLabel } from '../format/labels.ts';
import type { Range } from '../format/presetRange.ts';
import { useHashQuery } from '../navigation/hashLocation.ts';
import { changeQuery as changeQueryText } from '../navigation/queryState.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { noSearch, searchPath } from '../sessions/sessionSearch.ts';
import { localSystem } from '../systems/localSystem.ts';
import { DemandFunnel } from './DemandFunnel.tsx';
import { RankedBar, RankedList } from './RankedList.tsx';
import { ReportChart } from './ReportChart.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { ReportTable } from './ReportTable.tsx';
import { type RankedGroup, rankedGroups, rankRows } from './rankedGroups.ts';
import { rankedReasons } from './rankedReasons.ts';
import { chartsByField, chartsByUnit, hasData, shownFields } from './reportCharts.ts';
import { dimensionLabels, previousRange, rangeOf, reportDefaults, reportQuery } from './reportRange.ts';
import { type ReportRequest, useReport } from './useReport.ts';
import './reports.css';
import { callText } from '../api/call.ts';
import { saveFile } from '../api/saveFile.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { HintText } from '../components/hints/useHint.tsx';
import { Figure } from '../components/layout/Facts.tsx';
import { formatChange, formatCount, formatPercent, formatValue } from '../format/numbers.ts';
import { formatDateTime } from '../format/time.ts';

const emptyBreaksPath = ({ start, end }: Range, channel: string): string =>
  searchPath({ ...noSearch, channel, range: 'custom', from: start, to: end, outcome: 'empty' });

const defaults = { ...reportDefaults, page: '1' };

/** The most groups whose values over time are loaded: of more, only the sums are. */
const MAX_GROUPS = 100;

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
  const { interval, channel, label } = query;
  const requestOf = (of: Range, length = interval, by: Dimension | '' = groupBy): ReportRequest | null =>
    path && { path, query: reportQuery({ interval: length, channel, label, range: of, groupBy: by }) };
  const wholeRange = String(range.end - range.start);
  const isRanked = groupBy !== '' && interval === '';
  const whole = useReport(isRanked ? requestOf(range, wholeRange) : null);
  const isOverTime = !isRanked || (whole.data !== undefined && whole.data.rows.length <= MAX_GROUPS);
  const overTime = useReport(isOverTime ? requestOf(range) : null);
  const report = isRanked ? whole : overTime;
  const isCompared = query.compare !== '' && groupBy === '';
  const previous = useReport(isCompared ? requestOf(previousRange(range)) : null);
  const { data } = report;
  const kind = groupBy === 'channel' ? 'channels' : groupBy === 'source' ? 'adSources' : undefined;
  const groups = kind === undefined ? [] : [...new Set((data?.rows ?? []).map(({ key }) => String(key)))];
  const nameOf = useRecordNames(kind ?? 'channels', groups);
  const labelOf = kind === undefined ? groupLabel : nameOf;
  const charts = useMemo(() => {
    if (overTime.data === undefined) return [];
    return groupBy === '' ? chartsByUnit(overTime.data, previous.data) : chartsByField(overTime.data, labelOf);
  }, [overTime.data, previous.data, groupBy, labelOf]);
  const rankedBy = data?.fields.find((field) => field.name === query.rank) ?? data?.fields[0];
  const request = requestOf(range, isRanked ? wholeRange : interval);
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
            path: `/reports?${changeQueryText(search, defaults, {
              report: each,
              by: each === 'ad-sources' ? 'source' : query.by,
              rank: '',
              page: '1',
            })}`,
            isCurrent: each === name,
          }))}
        />
      ) : null}
      <ReportFilters
        query={query}
        range={range}
        system={system}
        dimensions={dimensions}
        fields={isRanked && data ? shownFields(data) : []}
        systems={systems.data ?? []}
        onChange={(changed) => changeQuery({ ...changed, page: '1' })}
        onRefresh={() => setOpenedAt(serverNow())}
      />
      {[systems, names, whole, overTime, previous].map(({ error, reload }, index) => (
        <ErrorNotice key={index} error={error} onRetry={reload} />
      ))}
      {report.isLoading || names.isLoading || systems.isLoading ? <Loading lines={4} /> : null}
      {data && rankedBy ? (
        <div class="stack">
          {isCompared && previous.data ? <NothingBefore report={data} previous={previous.data} /> : null}
          <ReportTotals report={data} previous={previous.data} />
          <div class="charts">
            {name === 'demand-funnel' ? <DemandFunnel requestBy={(by) => requestOf(range, wholeRange, by)} /> : null}
            <RankedReasons report={data} previous={previous.data} sessionsPath={emptyBreaksPath(range, channel)} />
            {isRanked && data.rows.length > 0 ? (
              <RankedGroups
                title={`${fieldLabel(rankedBy.name)} by ${dimensionLabels[groupBy].toLowerCase()}`}
                groups={rankedGroups(data, rankedBy.name)}
                unit={rankedBy.unit}
                labelOf={labelOf}
              />
            ) : null}
            {charts.map((chart) => (
              <ReportChart key={`${name} ${chart.title}`} chart={chart} />
            ))}
          </div>
          <ReportTable
            report={isRanked ? { ...data, rows: rankRows(data, rankedBy.name) } : data}
            order={isRanked ? 'ranked' : 'newest'}
            labelOf={labelOf}
            groupTitle={groupBy === '' ? undefined : dimensionLabels[groupBy]}
          />
        </div>
      ) : null}
    </>
  );
}

type Compared = { readonly report: ReportResponse; readonly previous: ReportResponse };

/** States that there is nothing to compare with: lines at zero would look like a measurement. */
function NothingBefore({ report, previous }: Compared) {
  if (hasData(previous.totals, report.fields)) return null;
  const isNew = previous.since !== undefined && Date.parse(previous.end) <= Date.parse(previous.since);
  const range = `${formatDateTime(previous.start)} to ${formatDateTime(previous.end)}`;
  return (
    <Notice tone="info">
      {isNew
        ? `Nothing to compare with: Midroll has counted since ${formatDateTime(previous.since ?? previous.end)}.`
        : `Nothing to compare with: nothing was counted from ${range}.`}
    </Notice>
  );
}

type ReportTotalsProps = { readonly report: ReportResponse; readonly previous: ReportResponse | undefined };
const CSV = 'text/csv';

/** Downloads the rows of a report as CSV. */
function CsvButton({ request }: { readonly request: ReportRequest }) {
  const download = useAction(async () => {
    const csv = await callText('/systems/{id}/reports/{report}', { ...request, accept: CSV });
    saveFile(`${request.path.report}.csv`, csv, CSV);
  });
  return (
    <>
      <ErrorNotice error={download.error} />
      <Button icon="download" action={download}>
        Export CSV
      </Button>
    </>
  );
}

/** Each field over the whole range, and its change from the time before. */
const ReportTotals = ({ report, previous }: ReportTotalsProps) => (
  <dl class="figures report-totals">
    {shownFields(report).map(({ name, unit, description }) => {
      const value = report.totals[name] ?? 0;
      const change = formatChange(value, previous?.totals[name]);
      return (
        <Figure key={name} name={<HintText hint={description}>{fieldLabel(name)}</HintText>}>
          {formatValue(value, unit)} {change === undefined ? null : <small class="muted">{change}</small>}
        </Figure>
      );
    })}
  </dl>
);

type RankedReasonsProps = ReportTotalsProps & {
  /** The page of the sessions with empty breaks in the range of the report. */
  readonly sessionsPath: string;
};

/** The reasons of a report that has some, as bars, the most frequent first. */
function RankedReasons({ report, previous, sessionsPath }: RankedReasonsProps) {
  const ranking = rankedReasons(report, previous);
  if (ranking === undefined) return null;
  const { title, none, reasons } = ranking;
  return (
    <RankedList title={title} href={reasons.length === 0 ? undefined : sessionsPath}>
      {reasons.length === 0 ? <li class="muted">{none}</li> : null}
      {reasons.map(({ name, label, description, count, share, before }) => (
        <RankedBar
          key={name}
          name={<HintText hint={description}>{label}</HintText>}
          amount={
            <>
              {formatCount(count)} <small>{formatChange(count, before)}</small>
            </>
          }
          percent={formatPercent(share, 1)}
          share={share}
          label={`Share of ${label}`}
        />
      ))}
    </RankedList>
  );
}

type RankedGroupsProps = {
  readonly title: string;
  readonly groups: readonly RankedGroup[];
  readonly unit: string;
  readonly labelOf: (key: string) => string;
};

/** The groups with the highest values as bars, relative to the highest. */
const RankedGroups = ({ title, groups, unit, labelOf }: RankedGroupsProps) => (
  <RankedList title={title}>
    {groups.map(({ key, value, share }) => (
      <RankedBar
        key={key}
        name={labelOf(key)}
        amount={formatValue(value, unit)}
        share={share}
        label={`${labelOf(key)} compared with the highest`}
      />
    ))}
  </RankedList>
);
