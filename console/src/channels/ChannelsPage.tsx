// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { POLL, useGet, useGetAll } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SearchField } from '../components/forms/SearchField.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { ListFilters, PageHeader } from '../components/layout/PageHeader.tsx';
import { formatCount, formatPercent, plural } from '../format/numbers.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { ChannelCard } from './ChannelCard.tsx';
import { channelHealth, sortByHealth } from './channelHealth.ts';
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
  const onAir = useGetAll('/on-air', interval);
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

/** The two ways from an empty installation to the first channel, with the current step of the longer one highlighted. */
function GettingStarted() {
  const { data, total } = useGet('/playlists', { query: { limit: 1 } }, POLL.normal);
  const newest = data?.[0];
  const hasPlaylist = newest !== undefined;
  return (
    <section class="card stack">
      <div>
        <h2>Create your first channel</h2>
        <p class="muted">Each viewer gets ads of their own at every break. An ad server URL is optional.</p>
      </div>
      <div class="ways">
        <section class="stack">
          <h3>Loop on-demand assets</h3>
          <ol class="steps">
            <li class={hasPlaylist ? 'done' : 'current'}>
              <div>
                <p>Paste the URLs of your HLS or DASH assets and place ad breaks.</p>
                {hasPlaylist ? (
                  <p class="muted">
                    {plural(total ?? 1, 'playlist')}. Newest:{' '}
                    <Link href={`/playlists/${encodeURIComponent(newest.id)}`}>{newest.name || newest.id}</Link>
                  </p>
                ) : (
                  <Link href="/playlists/~new" class="button primary">
                    Create playlist
                  </Link>
                )}
              </div>
            </li>
            <li class={hasPlaylist ? 'current' : ''}>
              <div>
                <p>Create a channel that loops the playlist.</p>
                {hasPlaylist ? (
                  <Link href={`/channels/~new?playlist=${encodeURIComponent(newest.id)}`} class="button primary">
                    Create channel
                  </Link>
                ) : null}
              </div>
            </li>
          </ol>
        </section>
        <section class="stack">
          <h3>Take a live stream</h3>
          <p>Paste the URL of your HLS or DASH origin. Midroll analyses it and finds its ad markers.</p>
          <p>
            <Link href="/channels/~new?type=live" class={hasPlaylist ? 'button' : 'button primary'}>
              Create live channel
            </Link>
          </p>
        </section>
      </div>
    </section>
  );
}

type TotalsProps = { readonly channels: readonly OnAirChannel[]; readonly fillRate: number | undefined };

/** The installation in four numbers. */
function Totals({ channels, fillRate }: TotalsProps) {
  const health = channels.map(channelHealth);
  const linear = channels.filter(({ type }) => type !== 'vod');
  const onAir = linear.map(channelHealth).filter((each) => each !== 'offAir' && each !== 'preparing').length;
  const vod = channels.length - linear.length;
  const issues = health.filter((each) => each === 'failed' || each === 'degraded').length;
  const viewers = channels.reduce((sum, channel) => sum + channel.viewers, 0);
  return (
    <dl class="totals">
      <div>
        <dt>On air</dt>
        <dd>
          {formatCount(onAir)}{' '}
          <small>
            of {formatCount(linear.length)}
            {vod > 0 ? `, ${formatCount(vod)} VoD` : ''}
          </small>
        </dd>
      </div>
      <div class={issues > 0 ? 'bad' : ''}>
        <dt>With problems</dt>
        <dd>{formatCount(issues)}</dd>
      </div>
      <div>
        <dt>Viewers now</dt>
        <dd>{formatCount(viewers)}</dd>
      </div>
      <div>
        <dt>Fill rate, last hour</dt>
        <dd>{fillRate === undefined ? <small>No breaks</small> : formatPercent(fillRate)}</dd>
      </div>
    </dl>
  );
}
