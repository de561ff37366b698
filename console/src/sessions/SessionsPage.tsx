// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import type { FoundSession } from '../../../src/http/contract/sessionContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { serverNow } from '../api/serverClock.ts';
import { useGet, useGetAll } from '../api/useGet.ts';
import { useNow } from '../api/useNow.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { CursorPagination } from '../components/layout/CursorPagination.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { useCursorPages } from '../navigation/useCursorPages.ts';
import { SearchFields } from './SearchFields.tsx';
import { SessionRow } from './SessionRow.tsx';
import { isSearching, readSearch, searchPath, searchRequest } from './sessionSearch.ts';
import './sessions.css';

const PAGE_SIZE = 20;
const columns: readonly Column[] = [
  ...[{ label: 'Session' }, { label: 'Channel' }, { label: 'Last seen' }],
  { label: 'Fill', hint: 'Share of the time of breaks that ads filled' },
  ...[{ label: 'Breaks' }, { label: 'Viewer' }],
];

/** Searches active and ended sessions. The search is in the URL, so that links keep it. */
export function SessionsPage() {
  const channels = useGetAll<OnAirChannel>('/on-air');
  const query = useSearch();
  const search = readSearch(query);
  const [, navigate] = useLocation();
  const pages = useCursorPages();
  const { cursor } = pages;
  // A relative range starts when the search does, so that it does not change with each request.
  const startedAt = useMemo(serverNow, [searchPath(search)]);
  const path = searchRequest(search, startedAt, PAGE_SIZE, cursor === '' ? undefined : cursor);
  const sessions = useGet<FoundSession[]>(path, cursor === '' ? POLL.normal : undefined);
  const now = useNow(POLL.normal);
  const { data, next } = sessions;
  const listed = new Map(channels.data?.map(({ id, name }) => [id, name || id]));
  const others = [...new Set(data?.map(({ channel }) => channel))].filter((id) => !listed.has(id));
  const nameOf = useRecordNames('channels', channels.data === undefined ? [] : others);
  const isPartial = data?.length === 0 && next !== null;
  return (
    <>
      <PageHeader title="Sessions" />
      <SearchFields
        search={search}
        channels={channels.data ?? []}
        onChange={(changed) => navigate(searchPath(changed))}
      />
      <ErrorNotice error={channels.error} onRetry={channels.reload} />
      <ErrorNotice error={sessions.error} onRetry={sessions.reload} />
      {sessions.isLoading ? <Loading /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon="sessions"
          title={isPartial ? 'No match so far' : isSearching(search) ? 'No match' : 'No sessions yet'}
        >
          <p>
            {isPartial
              ? 'There are older sessions that were not searched yet.'
              : isSearching(search)
                ? 'Ended sessions are kept for some days only. Try another time, or fewer filters.'
                : 'A session starts when a player opens a channel. On linear channels, it ends 15 minutes after the player has left.'}
          </p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <Table columns={columns} isFocusable>
          {data.map((session) => (
            <SessionRow
              key={session.id}
              {...{ session, now }}
              channelName={listed.get(session.channel) ?? nameOf(session.channel)}
            />
          ))}
        </Table>
      ) : null}
      {data ? <CursorPagination {...{ pages, next }} /> : null}
    </>
  );
}
