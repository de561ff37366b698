// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { useNow } from '../api/serverClock.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { LoadState } from '../components/feedback/Loading.tsx';
import { LinkCard } from '../components/layout/LinkCard.tsx';
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
    <LinkCard
      title="Latest sessions"
      href={total ? `/sessions?channel=${encodeURIComponent(channelId)}` : undefined}
      link={`View all (${formatCount(total ?? 0)})`}
    >
      <LoadState of={sessions} lines={2} />
      {data?.length === 0 ? <p class="muted">No sessions yet</p> : null}
      <ul class="stack tight">
        {data?.map(({ id, format, insertion, openedAt }) => (
          <li key={id} class="row between">
            <Link href={`/sessions/${id}`}>
              <code>{id.slice(0, 8)}</code>
            </Link>
            <span class="small muted">
              {format.toUpperCase()},{insertion === 'guided' ? ' guided,' : null}{' '}
              {formatRelativeTime(Date.parse(openedAt) - now)}
            </span>
          </li>
        ))}
      </ul>
    </LinkCard>
  );
}
