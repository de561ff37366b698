// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { EventItem } from './EventItem.tsx';
import { useAlerts } from './useAlerts.ts';

/** The alerts that are firing. */
export function FiringAlerts() {
  const alerts = useAlerts();
  const events = alerts.data?.flatMap(({ state, event }) => (state === 'firing' && event ? [event] : []));
  return (
    <>
      <LoadState of={alerts} />
      {events?.length === 0 ? (
        <EmptyState icon="check" title="No alerts">
          <p>
            <Link href="/alerts/rules">Rules</Link> define what is checked.
          </p>
        </EmptyState>
      ) : null}
      <ul class="alerts">
        {events?.map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ul>
    </>
  );
}
