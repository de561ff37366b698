import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/consoleContract.ts';
import { useGetAll } from '../api/useGet.ts';
import { sortByConcern } from '../logic/concern.ts';
import { Icon } from '../parts/Icon.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { ChannelCard } from './ChannelCard.tsx';
import { FirstRun } from './FirstRun.tsx';
import { Totals } from './Totals.tsx';
import { useFill } from './useFill.ts';
import './overview.css';

/** For each hundred channels, so that the limit of requests holds for any number of them. */
const EVERY = 10_000;

/** Every channel at a glance, those in trouble first. */
export function OverviewPage() {
  const [every, setEvery] = useState(EVERY);
  const { data, error, total, isLoading, reload } = useGetAll<OnAirChannel>('/on-air', every);
  useEffect(() => setEvery(EVERY * Math.max(1, Math.ceil((total ?? 0) / 100))), [total]);
  const fill = useFill();
  const isNew = data !== undefined && data.length === 0;
  return (
    <>
      <PageHead title="Channels">
        {isNew ? null : (
          <Link href="/channels/~new" class="button primary">
            <Icon name="plus" /> New channel
          </Link>
        )}
      </PageHead>
      <ErrorNotice error={error} onRetry={reload} />
      {isLoading ? <Loading lines={4} /> : null}
      {isNew ? <FirstRun /> : null}
      {data && data.length > 0 ? (
        <div class="stack">
          <Totals channels={data} fill={fill.total} />
          <ul class="channels">
            {sortByConcern(data).map((channel) => (
              <ChannelCard key={channel.id} channel={channel} fill={fill.byChannel.get(channel.id)} />
            ))}
          </ul>
          {total !== null && total > data.length ? (
            <p class="quiet">
              These are the {data.length} newest of {total}; the others are at{' '}
              <code>/api/v2/on-air?offset={data.length}</code>.
            </p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
