// SPDX-License-Identifier: Apache-2.0

import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { serverNow, useNow } from '../api/serverClock.ts';
import { POLL, useGet, useGetAll } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { CursorPagination } from '../components/layout/CursorPagination.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { useCursorPages } from '../navigation/useCursorPages.ts';
import { SessionRow } from './SessionRow.tsx';
import {
  findSessionId,
  isSearching,
  noSearch,
  outcomes,
  ranges,
  readSearch,
  type SessionSearch,
  searchPath,
  searchQuery,
  states,
} from './sessionSearch.ts';
import './sessions.css';
import { Button } from '../components/buttons/Button.tsx';
import { ChannelFilter } from '../components/forms/ChannelFilter.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { fromLocalText, toLocal } from '../format/zonedTime.ts';

const PAGE_SIZE = 20;
const columns: readonly Column[] = [
  ...[{ label: 'Session' }, { label: 'Channel' }, { label: 'Last seen' }],
  { label: 'Fill', hint: 'Share of the time of breaks that ads filled' },
  ...[{ label: 'Breaks' }, { label: 'Viewer' }],
];

/** Searches active and ended sessions. The search is in the URL, so that links keep it. */
export function SessionsPage() {
  const channels = useGetAll('/on-air');
  const query = useSearch();
  const search = readSearch(query);
  const [, navigate] = useLocation();
  const pages = useCursorPages();
  const { cursor } = pages;
  // A relative range starts when the search does, so that it does not change with each request.
  const startedAt = useMemo(serverNow, [searchPath(search)]);
  const request = { query: { ...searchQuery(search, startedAt), ...givenOnly({ cursor, limit: PAGE_SIZE }) } };
  const sessions = useGet('/sessions', request, cursor === '' ? POLL.normal : undefined);
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
              session={session}
              now={now}
              channelName={listed.get(session.channel) ?? nameOf(session.channel)}
            />
          ))}
        </Table>
      ) : null}
      {data ? <CursorPagination pages={pages} next={next} /> : null}
    </>
  );
}

type SearchFieldsProps = {
  readonly search: SessionSearch;
  readonly channels: readonly OnAirChannel[];
  onChange(search: SessionSearch): void;
};

const HOUR_MS = 3_600_000;

/** The fields of a search. A session ID, also within a playback URL, opens its session. */
function SearchFields({ search, channels, onChange }: SearchFieldsProps) {
  const [text, setText] = useState(search.text);
  const [, navigate] = useLocation();
  useEffect(() => setText(search.text), [search.text]);
  const set = (changed: Partial<SessionSearch>) => onChange({ ...search, ...changed });
  const setTime = (name: 'from' | 'to') => (value: string) => {
    const time = fromLocalText(value);
    if (time !== undefined) set({ [name]: time });
  };
  const setRange = (range: SessionSearch['range']) => {
    const { from: _, to: __, ...rest } = search;
    const now = serverNow();
    const times = range === 'around' ? { from: now } : range === 'custom' ? { from: now - HOUR_MS, to: now } : {};
    onChange({ ...rest, range, ...times });
  };
  return (
    <form
      class="session-filters"
      onSubmit={(event) => {
        event.preventDefault();
        const id = findSessionId(text);
        if (id === undefined) set({ text: text.trim() });
        else navigate(`/sessions/${encodeURIComponent(id)}`);
      }}
    >
      <ChannelFilter value={search.channel} channels={channels} onChange={(channel) => set({ channel })} />
      <SelectField label="Time" value={search.range} options={toOptions(ranges)} onChange={setRange} />
      {search.range === 'around' || search.range === 'custom' ? (
        <TextField
          label={search.range === 'around' ? 'Around' : 'From'}
          type="datetime-local"
          value={toLocal(search.from ?? serverNow())}
          onInput={setTime('from')}
        />
      ) : null}
      {search.range === 'custom' ? (
        <TextField label="To" type="datetime-local" value={toLocal(search.to ?? serverNow())} onInput={setTime('to')} />
      ) : null}
      <SelectField
        label="Break outcome"
        value={search.outcome}
        options={toOptions(outcomes)}
        onChange={(outcome) => set({ outcome })}
      />
      <SelectField
        label="State"
        value={search.state}
        options={toOptions(states)}
        onChange={(state) => set({ state })}
      />
      <div class="find">
        <TextField
          label="Find session"
          type="search"
          value={text}
          onInput={setText}
          placeholder="ID, playback URL, address, name=value, user agent"
        />
        <Button type="submit">Find</Button>
        {isSearching(search) ? <Button onClick={() => onChange(noSearch)}>Clear</Button> : null}
      </div>
    </form>
  );
}
