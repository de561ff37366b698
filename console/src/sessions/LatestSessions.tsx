// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { useNow } from '../api/serverClock.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { LoadState } from '../components/feedback/Loading.tsx';
import { formatCount } from '../format/numbers.ts';
import { formatRelativeTime } from '../format/time.ts';

const MAX_SESSIONS = 5;

/** The newest sessions of a channel. */
export function LatestSessions({ channelId }: { readonly channelId: string }) {
  const request = { path: { id: channelId }, query: { limit: MAX_SESSIONS } };
  const sessions = useGet('/channels/{id}/sessions', request, POLL.normal);
  const { data, total } = sessions;
  const now = useNow(POLL.normal);
  return (
    <section class="card">
      <header>
        <h2>Latest sessions</h2>
        {total !== null && total > 0 ? (
          <Link class="small" href={`/sessions?channel=${encodeURIComponent(channelId)}`}>
            View all ({formatCount(total)})
          </Link>
        ) : null}
      </header>
      <LoadState of={sessions} lines={2} />
      {data?.length === 0 ? <p class="muted">No sessions yet</p> : null}
      <ul class="stack tight">
        {data?.map(({ id, format, openedAt }) => (
          <li key={id} class="row between">
            <Link href={`/sessions/${id}`}>
              <code>{id.slice(0, 8)}</code>
            </Link>
            <span class="small muted">
              {format.toUpperCase()}, {formatRelativeTime(Date.parse(openedAt) - now)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
