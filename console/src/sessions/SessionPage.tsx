// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import type { SessionTrace, TracedBreak } from '../../../src/http/contract/airContract.ts';
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { FoundSession } from '../../../src/http/contract/sessionContract.ts';
import { MAX_BEACONS } from '../api/pageSizes.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGet } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { useQueryState } from '../navigation/useQueryState.ts';
import { BreakCard } from './BreakCard.tsx';
import { SessionFacts } from './SessionFacts.tsx';
import './sessions.css';

type Filter = 'all' | 'skipped' | 'empty';
const filters: Readonly<Record<Filter, string>> = {
  all: 'All breaks',
  skipped: 'With skipped ads',
  empty: 'Without ads',
};
const matches = (one: TracedBreak, filter: Filter): boolean =>
  filter === 'all' ||
  (filter === 'empty' ? one.status === 'empty' : one.ads.some(({ outcome }) => outcome === 'skipped'));

/** The breaks of a session: newest first, or in the order of the content for VoD. */
export function SessionPage({ id }: { readonly id: string }) {
  const [hasEnded, setEnded] = useState(false);
  const { data, error, isLoading, reload } = useGet<SessionTrace>(
    `/sessions/${encodeURIComponent(id)}`,
    hasEnded ? undefined : POLL.active,
  );
  useEffect(() => setEnded(data?.endedAt !== undefined), [data?.endedAt]);
  const beacons = useGet<BeaconResponse[]>(
    `/beacons?session=${encodeURIComponent(id)}&limit=${MAX_BEACONS}`,
    hasEnded ? undefined : POLL.normal,
  );
  const search = useGet<FoundSession[]>(
    `/sessions?id=${encodeURIComponent(id)}&limit=1`,
    hasEnded ? undefined : POLL.normal,
  );
  const channel = useGet<ChannelResponse>(data ? `/channels/${encodeURIComponent(data.channel)}` : null);
  const isVod = channel.data?.type === 'vod' || (data?.breaks ?? []).some(({ position }) => position !== undefined);
  const [{ show }, change] = useQueryState({ show: 'all' });
  const filter: Filter = Object.hasOwn(filters, show) ? (show as Filter) : 'all';
  const inOrder = data?.breaks ?? [];
  const breaks = (isVod ? inOrder : [...inOrder].reverse()).filter((one) => matches(one, filter));
  return (
    <>
      <PageHeader
        title={`Session ${id.slice(0, 8)}`}
        parent={{
          name: 'Sessions',
          path: data ? `/sessions?channel=${encodeURIComponent(data.channel)}` : '/sessions',
        }}
      />
      <ErrorNotice error={error ?? beacons.error} onRetry={reload} />
      {isLoading ? <Loading /> : null}
      {data ? (
        <div class="stack">
          <SessionFacts
            session={data}
            found={search.data?.find((one) => one.id === id)}
            channelName={channel.data?.name}
          />
          <div class="row between">
            <h2>Breaks</h2>
            <div class="breaks-filter">
              <SelectField
                label="Show"
                value={filter}
                options={toOptions(filters)}
                onChange={(next: Filter) => change({ show: next })}
              />
            </div>
          </div>
          {breaks.length === 0 ? (
            <EmptyState
              icon="sessions"
              title={
                data.breaks.length > 0
                  ? 'No matching breaks'
                  : isVod || data.endedAt !== undefined
                    ? 'No breaks'
                    : 'No breaks yet'
              }
            >
              <p>
                {isVod
                  ? 'All breaks are decided when the session is opened.'
                  : data.endedAt !== undefined
                    ? 'The session ended before a break.'
                    : 'Ads are selected shortly before a break starts. This page updates every few seconds.'}
              </p>
            </EmptyState>
          ) : null}
          <div class="stack tight">
            {breaks.map((one, index) => (
              <BreakCard
                key={`${filter} ${one.id}`}
                session={id}
                one={one}
                beacons={beacons.data ?? []}
                isVod={isVod}
                isOpen={index === 0}
              />
            ))}
          </div>
        </div>
      ) : null}
    </>
  );
}
