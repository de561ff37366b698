// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OverviewFigure, OverviewResponse } from '../../../src/platform/overview/contract/overviewContract.ts';
import { type OverviewRange, overviewRanges } from '../../../src/platform/overview/contract/overviewValues.ts';
import { useMe } from '../api/me.ts';
import { POLL, useGet, useLatest } from '../api/useGet.ts';
import { LoadState } from '../components/feedback/Loading.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { LabelFilter } from '../components/filters/LabelFilter.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { labelsIn } from '../components/pickers/labelRules.ts';
import { givenOnly } from '../format/givenOnly.ts';
import { formatDateTime } from '../format/time.ts';
import { timeZone } from '../format/timeZone.ts';
import { useHashPath } from '../navigation/hashLocation.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { type Better, describeFigure, type Unit } from './describeFigure.ts';
import { reportPath } from './overviewLinks.ts';
import { WorstLists } from './WorstLists.tsx';
import './overview.css';
import { MAX_PAGE_SIZE } from '../../../src/http/contract/channelValues.ts';
import { alertTitle, factsOf, groupAlerts } from '../alerts/alertGroups.ts';
import { severityStatuses } from '../alerts/severities.ts';
import { useAlerts } from '../alerts/useAlerts.ts';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { Figure } from '../components/layout/Facts.tsx';
import { LinkCard } from '../components/layout/LinkCard.tsx';
import { plural } from '../format/numbers.ts';

const rangeLabels: Readonly<Record<OverviewRange, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  'last-7-days': 'Last 7 days',
};
const befores: Readonly<Record<OverviewRange, string>> = {
  today: 'yesterday by this time',
  yesterday: 'the day before',
  'last-7-days': 'in the 7 days before',
};

const isRange = (text: string): text is OverviewRange => (overviewRanges as readonly string[]).includes(text);

/** What is wrong now, and how it went compared with before. */
export function OverviewPage() {
  const [query, change] = useQueryState({ range: 'today', label: '' });
  const { label } = query;
  const range = isRange(query.range) ? query.range : 'today';
  const [, navigate] = useHashPath();
  const channels = useGet('/channels', { query: { limit: 1 } });
  const isNewInstallation = channels.total === 0;
  useEffect(() => {
    // The page of channels has the first steps.
    if (isNewInstallation) navigate('/channels', { replace: true });
  }, [isNewInstallation]);
  const overview = useGet(
    '/overview',
    { query: givenOnly({ range, timeZone: timeZone(), label: label === '' ? undefined : [...labelsIn(label)] }) },
    POLL.minute,
  );
  const latest = useLatest(overview.data as OverviewResponse | undefined);
  return (
    <>
      <PageHeader title="Overview">
        <LabelFilter value={label} onChange={(next) => change({ label: next })} />
        <SegmentedControl
          label="Range"
          value={range}
          options={rangeLabels}
          onChange={(next) => change({ range: next })}
        />
      </PageHeader>
      <div class="stack">
        <ProblemsNow label={label} />
        <LoadState of={overview} lines={4} />
        {latest ? <Numbers overview={latest} label={label} /> : null}
      </div>
    </>
  );
}

const breaks = { unit: 'share', better: 'more', what: 'breaks' } as const;
const watching = { unit: 'count', better: 'more', what: 'viewers' } as const;
const shownAds = { unit: 'count', better: 'more', what: 'ads' } as const;
const requests = { unit: 'count', better: 'neither', what: 'ad requests' } as const;
const failures = { unit: 'share', better: 'less', what: 'ad requests' } as const;

type NumbersProps = { readonly overview: OverviewResponse; readonly label: string };

function Numbers({ overview, label }: NumbersProps) {
  const { range, fill, viewers, minutesWatched, adsShown, adRequests, adRequestFailures, missing } = overview;
  const hasReports = useMe()?.channels === undefined;
  const linkTo = (report: string) => (hasReports ? reportPath(range, { report, label, compare: 'day' }) : undefined);
  const now = { before: 'at this time yesterday', path: undefined };
  const whole = (report: string) => ({ before: befores[range], path: linkTo(report) });
  const figures = [
    { label: 'Fill, last hour', of: fill.now, ...breaks, ...now },
    { label: `Fill, ${rangeLabels[range].toLowerCase()}`, of: fill.range, ...breaks, ...whole('breaks') },
    { label: 'Viewers now', of: viewers.now, ...watching, ...now },
    { label: 'Peak viewers', of: viewers.peak, ...watching, ...whole('viewers') },
    { label: 'Minutes watched', of: minutesWatched, ...watching, ...whole('viewers') },
    { label: 'Ads shown', of: adsShown, ...shownAds, ...whole('ads') },
    { label: 'Ad requests', of: adRequests, ...requests, ...whole('ad-requests') },
    { label: 'Failed requests', of: adRequestFailures, ...failures, ...whole('ad-requests') },
  ];
  return (
    <>
      {missing.map((gap) => (
        <Notice key={gap.kind === 'system' ? gap.id : gap.list} tone="warn">
          {gap.kind === 'system' ? `System ${gap.name} is not included: ${gap.text}` : gap.text}
        </Notice>
      ))}
      <dl class="figures">
        {figures.map((figure) => (
          <ComparedFigure key={figure.label} {...figure} />
        ))}
      </dl>
      {figures.some(({ of }) => of.kind === 'uncompared' && of.reason === 'too-new') ? (
        <p class="small muted">
          Nothing to compare with yet: Midroll has counted since {formatDateTime(overview.since)}.
        </p>
      ) : null}
      <WorstLists overview={overview} hasReports={hasReports} label={label} />
    </>
  );
}

type ComparedFigureProps = {
  readonly label: string;
  readonly of: OverviewFigure;
  readonly unit: Unit;
  readonly better: Better;
  readonly what: string;
  readonly before: string;
  readonly path: string | undefined;
};

function ComparedFigure({ label, of, path, ...facts }: ComparedFigureProps) {
  const { value, change, note } = describeFigure(of, facts);
  return (
    <Figure name={path === undefined ? label : <Link href={path}>{label}</Link>}>
      <strong class="number">{value}</strong>{' '}
      {change === undefined ? null : <span class={`change ${change.tone}`}>{change.text}</span>}
      <small>{note}</small>
    </Figure>
  );
}

/** Rows of a list; the page behind its title has all. */
const MAX_ROWS = 5;

/** Channels with problems, the most watched first, and alerts that fire. */
function ProblemsNow({ label }: { readonly label: string }) {
  const problem = 'any' as const;
  const filter = { problem, limit: MAX_PAGE_SIZE, ...(label === '' ? {} : { label: [...labelsIn(label)] }) };
  const troubled = useGet('/on-air', { query: filter }, POLL.slow);
  const alerts = useAlerts();
  const groups = groupAlerts(alerts.data ?? []);
  const firing = groups.flat().length;
  const total = troubled.total ?? 0;
  if (troubled.data === undefined) return null;
  const mostWatched = [...troubled.data].sort((a, b) => b.viewers - a.viewers).slice(0, MAX_ROWS);
  if (total === 0 && firing === 0)
    return (
      <p class="all-well">
        <Icon name="check" /> No problems, no alerts
      </p>
    );
  return (
    <div class="problems-now">
      {total === 0 ? null : (
        <LinkCard
          title={`${plural(total, 'channel')} with problems`}
          href={`/channels?${new URLSearchParams({ problem: 'any', ...(label === '' ? {} : { label }) })}`}
          link="View all"
        >
          <ul class="stack tight">
            {mostWatched.map(({ id, name, problems = [] }) => (
              <li key={id}>
                <Link href={`/channels/${encodeURIComponent(id)}`}>{name || id}</Link>{' '}
                <span class="small">{problems.map(({ text }) => text).join(' ')}</span>
              </li>
            ))}
          </ul>
        </LinkCard>
      )}
      {firing === 0 ? null : (
        <LinkCard title={`${plural(firing, 'alert')} firing`} href="/alerts" link="View all">
          <ul class="stack tight">
            {groups.slice(0, MAX_ROWS).map((group) => (
              <li key={group[0].id}>
                <StatusBadge status={severityStatuses[group[0].severity]} /> {alertTitle(group)}{' '}
                <span class="small">{factsOf(group[0])}</span>
              </li>
            ))}
          </ul>
        </LinkCard>
      )}
    </div>
  );
}
