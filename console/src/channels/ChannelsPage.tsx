// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { POLL, useGet, useGetAll, useLatest } from '../api/useGet.ts';
import { ChannelActions } from '../bulk/ChannelActions.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { type Filter, FilterBar } from '../components/filters/FilterBar.tsx';
import { SortChip } from '../components/filters/SortChip.tsx';
import { toOptions } from '../components/forms/SelectField.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { DataTable } from '../components/table/DataTable.tsx';
import { SelectionBar } from '../components/table/SelectionBar.tsx';
import { nothing } from '../components/table/selection.ts';
import { useColumns } from '../components/table/useColumns.tsx';
import { useListView, ViewSwitch } from '../components/table/useListView.tsx';
import { useSelection } from '../components/table/useSelection.ts';
import { viewersOf } from '../confirmations/affectedChannels.ts';
import { formatCount, formatPercent, plural } from '../format/numbers.ts';
import { useOffset, useQueryState } from '../navigation/useQueryState.ts';
import { ChannelCard } from './ChannelCard.tsx';
import { channelColumns } from './channelColumns.tsx';
import { channelHealth, problemsOf } from './channelHealth.ts';
import {
  type ChannelFilters,
  type ChannelRow,
  isFiltered,
  isMatching,
  noFilters,
  problemNames,
  sortChannels,
  sortNames,
  stateNames,
  typeNames,
} from './channelRows.ts';
import './channels.css';
import { useMe } from '../api/me.ts';
import { useNow } from '../api/serverClock.ts';
import { Figure } from '../components/layout/Facts.tsx';
import { presetRange } from '../format/presetRange.ts';
import { type FillRate, fillRate } from '../reports/fillRate.ts';
import { reportQuery } from '../reports/reportRange.ts';
import { useReport } from '../reports/useReport.ts';
import { localSystem } from '../systems/localSystem.ts';

/** A longer interval for every hundred channels stays within the rate limit. */
const pollInterval = (channels: number): number => POLL.normal * Math.max(1, Math.ceil(channels / 100));

/** A list that is seen at a glance needs no filters. */
const FEW = 6;
/** Rows that a browser lays out without delay. */
const PAGE_SIZE = 250;

const filters: readonly Filter[] = [
  { kind: 'choice', name: 'state', label: 'State', options: toOptions(stateNames) },
  { kind: 'choice', name: 'problem', label: 'Problem', options: toOptions(problemNames) },
  { kind: 'choice', name: 'type', label: 'Type', options: toOptions(typeNames) },
  { kind: 'labels', name: 'label', label: 'Label', of: 'channels' },
  { kind: 'record', name: 'playlist', label: 'Playlist', of: 'playlists' },
];

/** Channels, problems first. */
export function ChannelsPage() {
  const [interval, changeInterval] = useState(pollInterval(0));
  const onAir = useGetAll('/on-air', interval);
  const { data, total } = onAir;
  useEffect(() => changeInterval(pollInterval(total ?? 0)), [total]);
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
      {data && data.length > 0 ? <ChannelList channels={data} onChanged={onAir.reload} /> : null}
      {data && total !== null && total > data.length ? (
        <p class="muted">
          Newest {formatCount(data.length)} of {formatCount(total)} channels. List the others with{' '}
          <code>GET /api/v2/on-air?offset={data.length}</code>.
        </p>
      ) : null}
    </>
  );
}

type ChannelListProps = { readonly channels: readonly OnAirChannel[]; onChanged(): void };

/** Cards for a few channels, a table for many. */
function ChannelList({ channels, onChanged }: ChannelListProps) {
  const fillRate = useFillRate();
  const [{ sort, page: _, ...given }, change] = useQueryState({ ...noFilters, sort: '', page: '1' });
  const { offset, setOffset } = useOffset(PAGE_SIZE);
  const view = useListView('channels', channels.length);
  const columns = useColumns('channels', channelColumns);
  const wanted = JSON.stringify(given);
  const rows = useMemo(() => {
    const parsed = JSON.parse(wanted) as ChannelFilters;
    const matching = channels
      .filter((channel) => isMatching(channel, parsed))
      .map((channel): ChannelRow => ({ ...channel, fillRate: fillRate.byChannel.get(channel.id) }));
    return sortChannels(matching, sort);
  }, [channels, fillRate.byChannel, wanted, sort]);
  const order = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { selection, select } = useSelection(wanted);
  const set = (changed: Partial<Record<string, string>>) => change({ ...changed, page: '1' });
  const selected = useMemo(() => rows.filter(({ id }) => selection.ids.has(id)), [rows, selection]);
  const shown = rows.slice(offset, offset + PAGE_SIZE);
  return (
    <>
      <ChannelTotals channels={channels} fillRate={fillRate.total} />
      {channels.length > FEW || isFiltered(given) ? (
        <FilterBar
          search={{ label: 'Find channel', value: given.q, onSearch: (q) => set({ q }) }}
          filters={filters}
          values={given}
          onChange={(name, value) => set({ [name]: value })}
          onClear={() => set(noFilters)}
        >
          <SortChip sort={sort} names={sortNames} onChange={(next) => set({ sort: next })} />
          {view.isTable ? columns.menu : null}
          <ViewSwitch view={view} />
        </FilterBar>
      ) : null}
      {rows.length === 0 ? <EmptyState icon="channels" title="No match" /> : null}
      {rows.length > 0 && !view.isTable ? (
        <ul class="channels">
          {shown.map((channel) => (
            <ChannelCard key={channel.id} channel={channel} fillRate={channel.fillRate} />
          ))}
        </ul>
      ) : null}
      {rows.length > 0 && view.isTable ? (
        <DataTable
          label="Channels"
          columns={columns.shown}
          rows={shown}
          order={order}
          sort={sort}
          selection={selection}
          factsOf={factsOf}
          onSort={(next) => set({ sort: next })}
          onSelect={select}
        />
      ) : null}
      {view.isTable ? (
        <SelectionBar
          count={selected.length}
          note={plural(viewersOf(selected), 'viewer')}
          onClear={() => select(nothing)}
        >
          <ChannelActions selected={selected} onChanged={onChanged} onDone={() => select(nothing)} />
        </SelectionBar>
      ) : null}
      {rows.length > PAGE_SIZE ? (
        <Pagination offset={offset} limit={PAGE_SIZE} total={rows.length} onChange={setOffset} />
      ) : null}
    </>
  );
}

const factsOf = (row: ChannelRow) => {
  const tone = row.state === 'failed' ? 'bad' : problemsOf(row).length > 0 ? 'warn' : undefined;
  return { id: row.id, name: row.name || row.id, tone } as const;
};

type TotalsProps = { readonly channels: readonly OnAirChannel[]; readonly fillRate: number | undefined };

/** The installation in four numbers. */
function ChannelTotals({ channels, fillRate }: TotalsProps) {
  const linear = channels.filter(({ type }) => type !== 'vod');
  const onAir = linear.map(channelHealth).filter((each) => each !== 'offAir' && each !== 'preparing').length;
  const vod = channels.length - linear.length;
  const issues = channels.filter((channel) => problemsOf(channel).length > 0).length;
  return (
    <dl class="totals">
      <Figure name="On air" class="card">
        {formatCount(onAir)} <small>of {formatCount(linear.length)}</small>{' '}
        {vod > 0 ? <small>+ {formatCount(vod)} VoD</small> : null}
      </Figure>
      <Figure name="With problems" class={issues > 0 ? 'card bad' : 'card'}>
        {issues === 0 ? 0 : <Link href="/channels?problem=any">{formatCount(issues)}</Link>}
      </Figure>
      <Figure name="Viewers now" class="card">
        {formatCount(viewersOf(channels))}
      </Figure>
      <Figure name="Fill rate, last hour" class="card">
        {fillRate === undefined ? <small>No breaks</small> : formatPercent(fillRate)}
      </Figure>
    </dl>
  );
}

const HOUR = 3_600_000;

/** The share of the break time of the last hour that was filled with ads, in total and by channel. */
function useFillRate(): FillRate {
  // Reports of the whole tenant.
  const isOfTenant = useMe()?.channels === undefined;
  const systems = useGet('/systems', isOfTenant ? {} : null);
  const system = localSystem(systems.data ?? []);
  const range = presetRange('hour', useNow(POLL.minute));
  const query = reportQuery({ range, interval: String(HOUR), channel: '', label: '', groupBy: 'channel' });
  const report = useReport(system ? { path: { id: system.id, report: 'breaks' }, query } : null);
  const latest = useLatest(report.data);
  return useMemo(() => fillRate(latest), [latest]);
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
