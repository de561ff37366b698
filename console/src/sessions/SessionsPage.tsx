import { useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import type { SessionSummary } from '../../../src/http/airContract.ts';
import type { OnAirChannel } from '../../../src/http/consoleContract.ts';
import { useGet, useGetAll } from '../api/useGet.ts';
import { formatDate } from '../logic/time.ts';
import { Choice } from '../parts/Choice.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { Pager } from '../parts/Pager.tsx';
import { FindSession } from './FindSession.tsx';
import './sessions.css';

const LIMIT = 20;

/** Who watches: by channel, or one session by its id. */
export function SessionsPage() {
  const channels = useGetAll<OnAirChannel>('/on-air');
  const asked = new URLSearchParams(useSearch()).get('channel');
  const channelId = asked ?? channels.data?.[0]?.id ?? '';
  const [, go] = useLocation();
  const [offset, setOffset] = useState(0);
  const path = `/channels/${encodeURIComponent(channelId)}/sessions?offset=${offset}&limit=${LIMIT}`;
  const { data, total, error, isLoading, reload } = useGet<SessionSummary[]>(channelId === '' ? null : path, 10_000);
  return (
    <>
      <PageHead title="Sessions" />
      <div class="filters">
        <Choice
          label="Channel"
          value={channelId}
          options={[
            // One that is gone, or not listed.
            ...(channels.data?.some(({ id }) => id === channelId) ? [] : [{ value: channelId, text: channelId }]),
            ...(channels.data ?? []).map(({ id, name }) => ({ value: id, text: name || id })),
          ]}
          onChange={(id) => {
            setOffset(0);
            go(`/sessions?channel=${encodeURIComponent(id)}`);
          }}
        />
        <FindSession />
      </div>
      <ErrorNotice error={channels.error} onRetry={channels.reload} />
      <ErrorNotice error={error} onRetry={reload} />
      {isLoading || channels.isLoading ? <Loading /> : null}
      {channels.data?.length === 0 || (data && total === 0) ? (
        <Empty icon="sessions" title="Nobody has watched yet">
          <p>
            A session begins when a player opens the channel, and is forgotten a quarter of an hour after it has left.
          </p>
        </Empty>
      ) : null}
      {data && data.length > 0 ? (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th>Session</th>
                <th>Format</th>
                <th>Opened</th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ id, format, openedAt }) => (
                <tr key={id}>
                  <td>
                    <Link href={`/sessions/${id}`}>
                      <code>{id}</code>
                    </Link>
                  </td>
                  <td>{format.toUpperCase()}</td>
                  <td>{formatDate(openedAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <Pager {...{ offset, limit: LIMIT, total: total ?? 0 }} onChange={setOffset} />
    </>
  );
}
