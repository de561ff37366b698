// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGetAll } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SearchField } from '../components/forms/SearchField.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { ListFilters } from '../components/layout/ListFilters.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { formatCount } from '../format/numbers.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { ChannelCard } from './ChannelCard.tsx';
import { sortByHealth } from './channelHealth.ts';
import { GettingStarted } from './GettingStarted.tsx';
import { Totals } from './Totals.tsx';
import { useFillRate } from './useFillRate.ts';
import './channels.css';

/** A longer interval for every hundred channels stays within the rate limit. */
const pollInterval = (channels: number): number => POLL.normal * Math.max(1, Math.ceil(channels / 100));

/** A list that is seen at a glance needs no search. */
const FEW = 6;

const isFound = (search: string, ...names: readonly (string | undefined)[]): boolean =>
  names.some((name) => name?.toLowerCase().includes(search.toLowerCase()));

/** Channels, problems first. */
export function ChannelsPage() {
  const [interval, changeInterval] = useState(pollInterval(0));
  const onAir = useGetAll<OnAirChannel>('/on-air', interval);
  const { data, total } = onAir;
  useEffect(() => changeInterval(pollInterval(total ?? 0)), [total]);
  const fillRate = useFillRate();
  const isNewInstallation = data?.length === 0;
  const [{ q }, change] = useQueryState({ q: '' });
  const shown = sortByHealth(data ?? []).filter(({ id, name }) => isFound(q, id, name));
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
          {data.length > FEW ? (
            <ListFilters>
              <SearchField label="Find channel" value={q} onSearch={(next) => change({ q: next })} />
            </ListFilters>
          ) : null}
          {shown.length === 0 ? <EmptyState icon="channels" title="No match" /> : null}
          <ul class="channels">
            {shown.map((channel) => (
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
