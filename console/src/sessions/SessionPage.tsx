// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import type { SessionTrace, TracedBreak } from '../../../src/http/contract/airContract.ts';
import { MAX_BEACONS } from '../../../src/http/contract/channelValues.ts';
import type { FoundSession } from '../../../src/http/contract/sessionContract.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { useQueryState } from '../navigation/useQueryState.ts';
import { BreakCard } from './BreakCard.tsx';
import './sessions.css';
import { Link } from 'wouter-preact';
import { PREVIEW_PARAMETER } from '../../../src/ads/request/preview.ts';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { Fact } from '../components/layout/Facts.tsx';
import { formatDateTime, formatDateTimeSeconds } from '../format/time.ts';
import { FillBar } from './FillBar.tsx';
import { SessionMarks } from './SessionMarks.tsx';

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
  const { data, error, isLoading, reload } = useGet(
    '/sessions/{id}',
    { path: { id } },
    hasEnded ? undefined : POLL.active,
  );
  useEffect(() => setEnded(data?.endedAt !== undefined), [data?.endedAt]);
  const interval = hasEnded ? undefined : POLL.normal;
  const beacons = useGet('/beacons', { query: { session: id, limit: MAX_BEACONS } }, interval);
  const search = useGet('/sessions', { query: { id, limit: 1 } }, interval);
  useEffect(() => {
    if (!hasEnded) return;
    // What was read before the end is not the last state.
    beacons.reload();
    search.reload();
  }, [hasEnded]);
  const channel = useGet('/channels/{id}', data ? { path: { id: data.channel } } : null);
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
      <ErrorNotice
        error={error ?? beacons.error ?? search.error}
        onRetry={() => {
          reload();
          beacons.reload();
          search.reload();
        }}
      />
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
                    ? 'The session ended before its first break.'
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

type SessionFactsProps = {
  readonly session: SessionTrace;
  /** What the search for sessions has; undefined until it was read. */
  readonly found: FoundSession | undefined;
  /** Undefined until it is known, and for a channel that was deleted. */
  readonly channelName: string | undefined;
};

/** Who watched what, from when until when, and how much of the breaks was filled. */
function SessionFacts({ session, found, channelName }: SessionFactsProps) {
  const parameters = Object.entries(session.parameters).filter(([name]) => name !== PREVIEW_PARAMETER);
  return (
    <section class="card session-facts">
      <dl class="facts">
        <Fact name="Session">
          <code>{session.id}</code> <CopyButton text={session.id} label="Copy session ID" />
        </Fact>
        <Fact name="Channel">
          <Link href={`/channels/${encodeURIComponent(session.channel)}`}>{channelName || session.channel}</Link>,{' '}
          {session.format.toUpperCase()} <SessionMarks session={session} />
        </Fact>
        <Fact name="Opened">{formatDateTime(session.openedAt)}</Fact>
        {session.endedAt === undefined ? (
          <Fact name="Last seen">{found ? formatDateTimeSeconds(found.lastSeenAt) : ''}</Fact>
        ) : (
          <Fact name="Ended">{formatDateTime(session.endedAt)}</Fact>
        )}
      </dl>
      <dl class="facts">
        <Fact name="Fill">{found ? <FillBar fill={found.fill} /> : ''}</Fact>
        <Fact name="Address">{found?.address ?? ''}</Fact>
        <Fact name="User agent">{found?.userAgent || (found ? <span class="muted">None</span> : '')}</Fact>
        <Fact name="Parameters">
          {parameters.length === 0 ? <span class="muted">None</span> : null}
          {parameters.map(([name, value]) => (
            <div key={name}>
              <code>
                {name}={value}
              </code>
            </div>
          ))}
        </Fact>
      </dl>
    </section>
  );
}
