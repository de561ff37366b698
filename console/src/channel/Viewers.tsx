import { Link } from 'wouter-preact';
import type { SessionSummary } from '../../../src/http/airContract.ts';
import { useGet } from '../api/useGet.ts';
import { useNow } from '../api/useNow.ts';
import { sayDistance } from '../logic/time.ts';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';

const SHOWN = 5;

/** The newest sessions, each a link to its story. */
export function Viewers({ channelId }: { readonly channelId: string }) {
  const path = `/channels/${encodeURIComponent(channelId)}/sessions?limit=${SHOWN}`;
  const { data, total, error, isLoading } = useGet<SessionSummary[]>(path, 10_000);
  const now = useNow(10_000);
  return (
    <section class="card">
      <header>
        <h2>Latest sessions</h2>
        {total !== null && total > 0 ? (
          <Link class="small" href={`/sessions?channel=${encodeURIComponent(channelId)}`}>
            All {total.toLocaleString('en-GB')}
          </Link>
        ) : null}
      </header>
      <ErrorNotice error={error} />
      {isLoading ? <Loading lines={2} /> : null}
      {data?.length === 0 ? <p class="quiet">Nobody has watched yet. A preview is a viewer like any other.</p> : null}
      <ul class="stack tight">
        {data?.map(({ id, format, openedAt }) => (
          <li key={id} class="row between">
            <Link href={`/sessions/${id}`}>
              <code>{id.slice(0, 8)}</code>
            </Link>
            <span class="small quiet">
              {format.toUpperCase()}, {sayDistance(Date.parse(openedAt) - now)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
