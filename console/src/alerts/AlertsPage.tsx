// SPDX-License-Identifier: Apache-2.0

import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { RuleList } from './RuleList.tsx';
import { WebhookList } from './WebhookList.tsx';
import './alerts.css';
import { useEffect } from 'preact/hooks';
import { onAlertEvent } from '../api/alertStream.ts';
import { useGet } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { CursorPagination } from '../components/layout/Pagination.tsx';
import { useCursorPages } from '../navigation/useCursorPages.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { EventItem } from './EventItem.tsx';
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
