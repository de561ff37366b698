// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { useRecordNames } from '../api/recordNames.ts';
import { serverNow, useNow } from '../api/serverClock.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { type Filter, FilterBar } from '../components/filters/FilterBar.tsx';
import { toOptions } from '../components/forms/SelectField.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { CursorPagination } from '../components/layout/Pagination.tsx';
import { DataTable } from '../components/table/DataTable.tsx';
import { useColumns } from '../components/table/useColumns.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { useCursorPages } from '../navigation/useCursorPages.ts';
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
import type { FoundSession } from '../../../src/http/contract/sessionContract.ts';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import type { DataColumn } from '../components/table/columns.ts';
import { formatPercent, plural } from '../format/numbers.ts';
import { formatDateTime, formatDateTimeSeconds, formatRelativeTime } from '../format/time.ts';
import { breakStatuses } from './breakSummary.ts';
import { FillBar } from './FillBar.tsx';
import { SessionMarks } from './SessionMarks.tsx';

const PAGE_SIZE = 20;

/** Searches active and ended sessions. The search is in the URL, so that links keep it. */
export function SessionsPage() {
  const query = useSearch();
  const search = readSearch(query);
  const pages = useCursorPages();
  const { cursor } = pages;
  // A relative range starts when the search does, so that it does not change with each request.
  const startedAt = useMemo(serverNow, [searchPath(search)]);
  const request = { query: { ...searchQuery(search, startedAt), ...givenOnly({ cursor, limit: PAGE_SIZE }) } };
  const sessions = useGet('/sessions', request, cursor === '' ? POLL.normal : undefined);
  const now = useNow(POLL.normal);
  const { data, next } = sessions;
  const nameOf = useRecordNames('channels', [...new Set(data?.map(({ channel }) => channel))]);
  const columns = useColumns(
    'sessions',
    useMemo(() => sessionColumns(nameOf, now), [nameOf, now]),
  );
  const isPartial = data?.length === 0 && next !== null;
  return (
    <>
      <PageHeader title="Sessions" />
      <SessionFilters search={search}>{columns.menu}</SessionFilters>
      <LoadState of={sessions} />
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
        <DataTable label="Sessions" columns={columns.shown} rows={data} factsOf={({ id }) => ({ id, name: id })} />
      ) : null}
      {data ? <CursorPagination pages={pages} next={next} /> : null}
    </>
  );
}

type SessionFiltersProps = { readonly search: SessionSearch; readonly children: ComponentChildren };

const HOUR_MS = 3_600_000;
const at = (time: number | undefined): string => new Date(time ?? serverNow()).toISOString();

/** The filters of a search. A session ID, also within a playback URL, opens its session. */
function SessionFilters({ search, children }: SessionFiltersProps) {
  const [, navigate] = useLocation();
  const { channel, range, from, to, outcome, state } = search;
  const set = (changed: Partial<SessionSearch>) => navigate(searchPath({ ...search, ...changed }));
  const setRange = (next: SessionSearch['range']) => {
    const { from: _, to: __, ...rest } = search;
    const now = serverNow();
    const times = next === 'around' ? { from: now } : next === 'custom' ? { from: now - HOUR_MS, to: now } : {};
    navigate(searchPath({ ...rest, range: next, ...times }));
  };
  const change = (name: string, value: string) => {
    if (name === 'range') return setRange(value as SessionSearch['range']);
    if (name !== 'from' && name !== 'to') return set({ [name]: value });
    const time = Date.parse(value);
    if (!Number.isNaN(time)) set({ [name]: time });
  };
  return (
    <FilterBar
      search={{
        label: 'Find session',
        value: search.text,
        placeholder: 'ID, URL, address, name=value, user agent',
        onSubmit: (text) => {
          const id = findSessionId(text);
          if (id === undefined) set({ text: text.trim() });
          else navigate(`/sessions/${encodeURIComponent(id)}`);
        },
      }}
      filters={[
        { kind: 'record', name: 'channel', label: 'Channel', of: 'channels' },
        { kind: 'choice', name: 'range', label: 'Time', none: 'any', options: toOptions(ranges) },
        ...(range === 'around' ? [{ kind: 'time', name: 'from', label: 'Around' } as const] : []),
        ...(range === 'custom' ? customTimes : []),
        { kind: 'choice', name: 'outcome', label: 'Break outcome', none: 'any', options: toOptions(outcomes) },
        { kind: 'choice', name: 'state', label: 'State', none: 'any', options: toOptions(states) },
      ]}
      values={{ channel, range, from: at(from), to: at(to), outcome, state }}
      onChange={change}
      onClear={() => navigate(searchPath(noSearch))}
    >
      {children}
    </FilterBar>
  );
}

const customTimes: readonly Filter[] = [
  { kind: 'time', name: 'from', label: 'From' },
  { kind: 'time', name: 'to', label: 'To' },
];

const ID_LENGTH = 8;
const outcomeNames = ['filled', 'partial', 'empty'] as const;

/** The breaks of a session: those that match the search, or how many had which outcome. */
const Outcomes = ({ session: { matching, outcomes } }: { readonly session: FoundSession }) => (
  <div class="outcomes">
    {matching === undefined
      ? outcomeNames
          .filter((name) => outcomes[name] > 0)
          .map((name) => {
            const [tone, label] = breakStatuses[name];
            return (
              <Badge key={name} tone={tone}>
                {outcomes[name]} {label.toLowerCase()}
              </Badge>
            );
          })
      : matching.map((one) => (
          <span key={one.id} class="small">
            <StatusBadge status={breakStatuses[one.outcome]} />{' '}
            <time dateTime={one.startsAt}>{formatDateTimeSeconds(one.startsAt)}</time>
            {one.reason === undefined ? null : <code> {one.reason}</code>}
          </span>
        ))}
  </div>
);

/** A list of sessions: who watched, until when, and how their breaks were filled. */
const sessionColumns = (nameOf: (channel: string) => string, now: number): DataColumn<FoundSession>[] => [
  {
    id: 'session',
    label: 'Session',
    shown: 'always',
    cell: (session) => (
      <>
        <Link href={`/sessions/${encodeURIComponent(session.id)}`} aria-label={session.id} title={session.id}>
          <code>{session.id.slice(0, ID_LENGTH)}</code>
        </Link>
        <small>{session.format.toUpperCase()}</small>
        <SessionMarks session={session} />
        <small class="condensed">
          {session.fill === undefined ? 'No breaks' : `${formatPercent(session.fill)} fill`},{' '}
          {plural(session.breaks, 'break')}
        </small>
      </>
    ),
  },
  {
    id: 'channel',
    label: 'Channel',
    cell: ({ channel }) => <Link href={`/channels/${encodeURIComponent(channel)}`}>{nameOf(channel)}</Link>,
  },
  {
    id: 'seen',
    label: 'Last seen',
    cell: ({ state, lastSeenAt, openedAt }) =>
      state === 'active' ? (
        <>
          <Badge tone="good">Active</Badge>
          <small>Seen {formatRelativeTime(Math.min(0, Date.parse(lastSeenAt) - now))}</small>
        </>
      ) : (
        <>
          <time dateTime={lastSeenAt}>{formatDateTime(lastSeenAt)}</time>
          <small>Opened {formatDateTime(openedAt)}</small>
        </>
      ),
  },
  {
    id: 'fill',
    label: 'Fill',
    kind: 'wide',
    hint: 'Share of the time of breaks that ads filled',
    cell: ({ fill, breaks, ads }) => (
      <>
        <FillBar fill={fill} />
        <small>
          {plural(breaks, 'break')}, {plural(ads.shown, 'ad')}
        </small>
      </>
    ),
  },
  { id: 'breaks', label: 'Breaks', cell: (session) => <Outcomes session={session} /> },
  {
    id: 'viewer',
    label: 'Viewer',
    kind: 'wide',
    cell: ({ address, userAgent }) => (
      <div class="viewer">
        {address}
        <small class="ellipsis" title={userAgent}>
          {userAgent}
        </small>
      </div>
    ),
  },
];
