// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import type { AlertEventResponse } from '../../../src/http/contract/alertContract.ts';
import { onAlertEvent } from '../api/alertStream.ts';
import { useGet } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { EventItem } from './EventItem.tsx';

const stateLabels = { all: 'All', firing: 'Firing', reminder: 'Reminders', resolved: 'Resolved' } as const;
type State = keyof typeof stateLabels;

/** The events of the last 30 days, newest first. */
export function EventHistory() {
  const [state, setState] = useState<State>('all');
  const events = useGet<AlertEventResponse[]>(`/events?limit=100${state === 'all' ? '' : `&state=${state}`}`);
  const { data, reload } = events;
  useEffect(() => onAlertEvent(reload), [reload]);
  return (
    <>
      <div class="alert-filter">
        <SelectField
          label="State"
          value={state}
          options={toOptions<State>(stateLabels)}
          onChange={(next: State) => setState(next)}
        />
      </div>
      <LoadState of={events} />
      {data?.length === 0 ? <EmptyState icon="check" title="No events" /> : null}
      <ul class="alerts">
        {data?.map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ul>
    </>
  );
}
