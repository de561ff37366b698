// SPDX-License-Identifier: Apache-2.0
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { RuleList } from './RuleList.tsx';
import { WebhookList } from './WebhookList.tsx';
import './alerts.css';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { AlertEventResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { onAlertEvent } from '../api/alertStream.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { useGet } from '../api/useGet.ts';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { CursorPagination } from '../components/layout/Pagination.tsx';
import { formatDateTime } from '../format/time.ts';
import { useCursorPages } from '../navigation/useCursorPages.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { FiringAlerts } from './FiringAlerts.tsx';

const tabs = [
  ['Now', '/alerts'],
  ['History', '/alerts/history'],
  ['Rules', '/alerts/rules'],
  ['Receivers', '/alerts/webhooks'],
] as const;

const contentOf = (tab: string | undefined) => {
  if (tab === 'history') return <EventHistory />;
  if (tab === 'rules') return <RuleList />;
  if (tab === 'webhooks') return <WebhookList />;
  return <FiringAlerts />;
};

/** What is wrong now, what was, and what is checked. */
export const AlertsPage = ({ tab }: { readonly tab: string | undefined }) => (
  <>
    <PageHeader title="Alerts" />
    <Tabs
      label="Alerts"
      tabs={tabs.map(([name, path]) => ({
        name,
        path,
        isCurrent: path === (tab === undefined ? '/alerts' : `/alerts/${tab}`),
      }))}
    />
    {contentOf(tab)}
  </>
);

const stateLabels = { all: 'All', firing: 'Firing', reminder: 'Reminders', resolved: 'Resolved' } as const;
type State = keyof typeof stateLabels;

const PAGE_SIZE = 50;

/** The events of the last 30 days, newest first. */
function EventHistory() {
  const [query, change] = useQueryState({ state: 'all', cursor: '', page: '1' });
  const pages = useCursorPages();
  const state: State = Object.hasOwn(stateLabels, query.state) ? (query.state as State) : 'all';
  const request = { limit: PAGE_SIZE, cursor: pages.cursor, state: state === 'all' ? '' : state } as const;
  const events = useGet('/events', { query: givenOnly(request) });
  const { data, next, reload } = events;
  useEffect(() => onAlertEvent(reload), [reload]);
  return (
    <>
      <div class="alert-filter">
        <SelectField
          label="State"
          value={state}
          options={toOptions<State>(stateLabels)}
          onChange={(changed: State) => change({ state: changed, cursor: '', page: '1' })}
        />
      </div>
      <LoadState of={events} />
      {data?.length === 0 ? <EmptyState icon="check" title="No events" /> : null}
      <ul class="alerts">
        {data?.map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ul>
      {data ? <CursorPagination pages={pages} next={next ?? null} /> : null}
    </>
  );
}

const states = {
  firing: ['bad', 'Firing'],
  reminder: ['warn', 'Reminder'],
  resolved: ['good', 'Resolved'],
} as const;

/** One event: what happened on which channel, and where to look. */
function EventItem({ event }: { readonly event: AlertEventResponse }) {
  const { state, text, at, channel, rule, silenced } = event;
  /** The id of a channel that was deleted. */
  const present = useRecordNames('channels', [channel.id])(channel.id);
  return (
    <li class="card">
      <div class="row">
        <StatusBadge status={states[state]} />
        {silenced ? <Badge tone="calm">Silenced</Badge> : null}
      </div>
      <div>
        <p>{text}</p>
        <p class="small muted">
          {formatDateTime(at)}, {rule.name}
        </p>
      </div>
      <Link class="small" href={`/channels/${encodeURIComponent(channel.id)}`}>
        {present === channel.id ? channel.name || present : present}
      </Link>
    </li>
  );
}
