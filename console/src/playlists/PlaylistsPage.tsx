// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import { type ApiQuery, callAll } from '../api/call.ts';
import { POLL, useGet, useLatest } from '../api/useGet.ts';
import { PlaylistActions } from '../bulk/PlaylistActions.tsx';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { type Filter, FilterBar } from '../components/filters/FilterBar.tsx';
import { SortChip } from '../components/filters/SortChip.tsx';
import { toOptions } from '../components/forms/SelectField.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { labelsIn } from '../components/pickers/labelRules.ts';
import type { DataColumn } from '../components/table/columns.ts';
import { DataTable } from '../components/table/DataTable.tsx';
import { SelectionBar } from '../components/table/SelectionBar.tsx';
import { nothing } from '../components/table/selection.ts';
import { useColumns } from '../components/table/useColumns.tsx';
import { useKnownRows } from '../components/table/useKnownRows.ts';
import { useSelection } from '../components/table/useSelection.ts';
import { givenOnly } from '../format/givenOnly.ts';
import { plural } from '../format/numbers.ts';
import { formatDateTime } from '../format/time.ts';
import { useOffset, useQueryState } from '../navigation/useQueryState.ts';
import { playlistStatuses, playlistTypes } from './playlistTypes.ts';

const PAGE_SIZE = 50;

const breaksOf = ({ contents = [] }: PlaylistResponse): number =>
  contents.reduce((sum, { cuePoints = [] }) => sum + cuePoints.length, 0);

const columns: readonly DataColumn<PlaylistResponse>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    shown: 'always',
    cell: (playlist) => (
      <>
        <Link href={`/playlists/${encodeURIComponent(playlist.id)}`}>{playlist.name || playlist.id}</Link>
        {playlist.name ? <small>{playlist.id}</small> : null}
        <small class="condensed">
          {plural(playlist.contents?.length ?? 0, 'item')}, {plural(breaksOf(playlist), 'break')}
        </small>
      </>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    shown: 'always',
    cell: ({ status = 'disabled' }) => <StatusBadge status={playlistStatuses[status]} />,
  },
  { id: 'type', label: 'Type', kind: 'wide', cell: ({ type }) => playlistTypes[type ?? ''] },
  { id: 'items', label: 'Items', kind: 'wide', cell: ({ contents = [] }) => contents.length },
  { id: 'breaks', label: 'Breaks', kind: 'extra', cell: breaksOf },
  {
    id: 'labels',
    label: 'Labels',
    kind: 'extra',
    cell: ({ labels = [] }) => <TextList class="labels" texts={labels} />,
  },
  {
    id: 'modified',
    label: 'Modified',
    kind: 'wide',
    sort: '-modifiedAt',
    cell: ({ modifiedAt, createdAt, modifiedBy, createdBy }) => (
      <>
        {formatDateTime(modifiedAt ?? createdAt)}
        <small>{modifiedBy ?? createdBy}</small>
      </>
    ),
  },
  {
    id: 'created',
    label: 'Created',
    kind: 'extra',
    sort: '-createdAt',
    shown: 'chosen',
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
];

const statusOptions = Object.entries(playlistStatuses).map(([value, [, label]]) => ({ value, label }));
const { '': _any, ...namedTypes } = playlistTypes;
const filters: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: 'Status', options: statusOptions },
  { kind: 'choice', name: 'type', label: 'Type', options: toOptions(namedTypes) },
  { kind: 'labels', name: 'label', label: 'Label', of: 'playlists' },
];
const noFilters = { q: '', status: '', type: '', label: '' };
const sortNames = { '': 'Newest', '-modifiedAt': 'Last modified', name: 'Name' } as const;

const factsOf = ({ id, name }: PlaylistResponse) => ({ id, name: name || id });

/** Playlists: all, or those that match. */
export function PlaylistsPage() {
  const { offset, setOffset } = useOffset(PAGE_SIZE);
  const [{ sort, page: _, ...given }, change] = useQueryState({ ...noFilters, sort: '', page: '1' });
  const labels = labelsIn(given.label);
  const wanted = givenOnly({ ...given, label: labels.length === 0 ? undefined : [...labels], sort });
  const query = { ...wanted, offset, limit: PAGE_SIZE } as ApiQuery<'/playlists'>;
  const playlists = useGet('/playlists', { query }, POLL.slow);
  // The previous page stays while the next one is loading.
  const data = useLatest(playlists.data);
  const total = useLatest(playlists.total ?? undefined);
  const { selection, select } = useSelection(JSON.stringify(given));
  const readAll = async () => (await callAll('/playlists', { query: wanted as ApiQuery<'/playlists'> })).body;
  const { selected, everything } = useKnownRows(data, selection, readAll, select);
  const shown = useColumns('playlists', columns);
  const isFiltered = Object.values(given).some((value) => value !== '');
  const set = (changed: Partial<Record<string, string>>) => change({ ...changed, page: '1' });
  return (
    <>
      <PageHeader title="Playlists">
        <Link href="/playlists/~new" class="button primary">
          <Icon name="plus" /> Create playlist
        </Link>
      </PageHeader>
      <FilterBar
        search={{ label: 'Find playlist', value: given.q, onSearch: (q) => set({ q }) }}
        filters={filters}
        values={given}
        onChange={(name, value) => set({ [name]: value })}
        onClear={() => set(noFilters)}
      >
        <SortChip sort={sort} names={sortNames} onChange={(next) => set({ sort: next })} />
        {shown.menu}
      </FilterBar>
      <LoadState of={{ ...playlists, isLoading: data === undefined && playlists.isLoading }} />
      {total === 0 && isFiltered ? <EmptyState icon="playlist" title="No match" /> : null}
      {total === 0 && !isFiltered ? (
        <EmptyState icon="playlist" title="No playlists yet">
          <p>A playlist is a list of assets with ad breaks. Linear channels play it in a loop, VoD channels once.</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <DataTable
          label="Playlists"
          columns={shown.shown}
          rows={data}
          sort={sort}
          selection={selection}
          factsOf={factsOf}
          onSort={(next) => set({ sort: next })}
          onSelect={select}
        />
      ) : null}
      <ErrorNotice error={everything.error} />
      <SelectionBar
        count={selected.length}
        isBusy={everything.isBusy}
        {...(total === undefined ? {} : { matching: total })}
        onSelectMatching={() => void everything.run()}
        onClear={() => select(nothing)}
      >
        <PlaylistActions selected={selected} onChanged={playlists.reload} onDone={() => select(nothing)} />
      </SelectionBar>
      <Pagination offset={offset} limit={PAGE_SIZE} total={total ?? 0} onChange={setOffset} />
    </>
  );
}
