// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import type { AlertEventResponse } from '../../../src/http/contract/alertContract.ts';
import { onAlertEvent } from '../api/alertStream.ts';
import { useGet } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { CursorPages } from '../components/layout/CursorPages.tsx';
import { EventItem } from './EventItem.tsx';

const stateLabels = { all: 'All', firing: 'Firing', reminder: 'Reminders', resolved: 'Resolved' } as const;
type State = keyof typeof stateLabels;

const PAGE_SIZE = 50;

/** The events of the last 30 days, newest first. */
export function EventHistory() {
  const [{ state, cursors }, setPlace] = useState<{ readonly state: State; readonly cursors: readonly string[] }>({
    state: 'all',
    cursors: [],
  });
  const events = useGet<AlertEventResponse[]>(
    `/events?limit=${PAGE_SIZE}&cursor=${cursors.at(-1) ?? ''}${state === 'all' ? '' : `&state=${state}`}`,
  );
  const { data, next, reload } = events;
  useEffect(() => onAlertEvent(reload), [reload]);
  return (
    <>
      <div class="alert-filter">
        <SelectField
          label="State"
          value={state}
          options={toOptions<State>(stateLabels)}
          onChange={(changed: State) => setPlace({ state: changed, cursors: [] })}
        />
      </div>
      <LoadState of={events} />
      {data?.length === 0 ? <EmptyState icon="check" title="No events" /> : null}
      <ul class="alerts">
        {data?.map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ul>
      {data ? (
        <CursorPages cursors={cursors} next={next} onChange={(changed) => setPlace({ state, cursors: changed })} />
      ) : null}
    </>
  );
}
