// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import type { SessionSummary } from '../../../src/http/contract/airContract.ts';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGet, useGetAll } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { recordOptions, SelectField } from '../components/forms/SelectField.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { formatDateTime } from '../logic/format/time.ts';
import { FindSession } from './FindSession.tsx';
import './sessions.css';

const PAGE_SIZE = 20;
const columns: readonly Column[] = [{ label: 'Session' }, { label: 'Format' }, { label: 'Opened' }];

/** The sessions of a channel, newest first, and a search by id. */
export function SessionsPage() {
  const channels = useGetAll<OnAirChannel>('/on-air');
  const selected = new URLSearchParams(useSearch()).get('channel');
  const channelId = selected ?? channels.data?.[0]?.id ?? '';
  const [, navigate] = useLocation();
  const [offset, setOffset] = useState(0);
  const path = `/channels/${encodeURIComponent(channelId)}/sessions?offset=${offset}&limit=${PAGE_SIZE}`;
  const sessions = useGet<SessionSummary[]>(channelId === '' ? null : path, POLL.normal);
  const { data, total } = sessions;
  return (
    <>
      <PageHeader title="Sessions" />
      <div class="filters">
        <SelectField
          label="Channel"
          value={channelId}
          options={[
            // The channel of the URL may be deleted or beyond the first 1,000.
            ...(channels.data?.some(({ id }) => id === channelId) ? [] : [{ value: channelId, label: channelId }]),
            ...recordOptions(channels.data ?? []),
          ]}
          onChange={(id) => {
            setOffset(0);
            navigate(`/sessions?channel=${encodeURIComponent(id)}`);
          }}
        />
        <FindSession />
      </div>
      <ErrorNotice error={channels.error} onRetry={channels.reload} />
      <ErrorNotice error={sessions.error} onRetry={sessions.reload} />
      {sessions.isLoading || channels.isLoading ? <Loading /> : null}
      {channels.data?.length === 0 || (data && total === 0) ? (
        <EmptyState icon="sessions" title="No sessions yet">
          <p>
            A session starts when a player opens the channel. On linear channels, it expires 15 minutes after the player
            has left.
          </p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <Table columns={columns}>
          {data.map(({ id, format, openedAt }) => (
            <tr key={id}>
              <td>
                <Link href={`/sessions/${id}`}>
                  <code>{id}</code>
                </Link>
              </td>
              <td>{format.toUpperCase()}</td>
              <td>{formatDateTime(openedAt)}</td>
            </tr>
          ))}
        </Table>
      ) : null}
      <Pagination {...{ offset, limit: PAGE_SIZE, total: total ?? 0 }} onChange={setOffset} />
    </>
  );
}
