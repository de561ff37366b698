// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGetAll } from '../api/useGet.ts';
import { LoadState } from '../components/feedback/Loading.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { sortByHealth } from '../logic/channels/channelHealth.ts';
import { formatCount } from '../logic/format/numbers.ts';
import { ChannelCard } from './ChannelCard.tsx';
import { GettingStarted } from './GettingStarted.tsx';
import { Totals } from './Totals.tsx';
import { useFillRate } from './useFillRate.ts';
import './channels.css';

/** A longer interval for every hundred channels stays within the rate limit. */
const pollInterval = (channels: number): number => POLL.normal * Math.max(1, Math.ceil(channels / 100));

/** All channels, problems first. */
export function ChannelsPage() {
  const [interval, changeInterval] = useState(pollInterval(0));
  const onAir = useGetAll<OnAirChannel>('/on-air', interval);
  const { data, total } = onAir;
  useEffect(() => changeInterval(pollInterval(total ?? 0)), [total]);
  const fillRate = useFillRate();
  const isNewInstallation = data?.length === 0;
  return (
    <>
      <PageHeader title="Channels">
        {isNewInstallation ? null : (
          <Link href="/channels/~new" class="button primary">
            <Icon name="plus" /> Create channel
          </Link>
        )}
      </PageHeader>
      <LoadState of={onAir} lines={4} />
      {isNewInstallation ? <GettingStarted /> : null}
      {data && data.length > 0 ? (
        <div class="stack">
          <Totals channels={data} fillRate={fillRate.total} />
          <ul class="channels">
            {sortByHealth(data).map((channel) => (
              <ChannelCard key={channel.id} channel={channel} fillRate={fillRate.byChannel.get(channel.id)} />
            ))}
          </ul>
          {total !== null && total > data.length ? (
            <p class="muted">
              Newest {formatCount(data.length)} of {formatCount(total)} channels. List the others with{' '}
              <code>GET /api/v2/on-air?offset={data.length}</code>.
            </p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
