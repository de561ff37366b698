// SPDX-License-Identifier: Apache-2.0

import { Link } from 'wouter-preact';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import type { ApiQuery } from '../api/call.ts';
import { useGet } from '../api/useGet.ts';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SearchField } from '../components/forms/SearchField.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { ListFilters, PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { formatDateTime } from '../format/time.ts';
import { useOffset, useQueryState } from '../navigation/useQueryState.ts';
import { playlistStatuses, playlistTypes } from './playlistTypes.ts';

const PAGE_SIZE = 20;
const columns: readonly Column[] = [
  { label: 'Name' },
  { label: 'Type', kind: 'wide' },
  { label: 'Status' },
  { label: 'Items', kind: 'right' },
  { label: 'Breaks', kind: 'right' },
  { label: 'Modified', kind: 'wide' },
];

const all = { value: '', label: 'All' };
const statusOptions = [all, ...Object.entries(playlistStatuses).map(([value, [, label]]) => ({ value, label }))];
const { '': _any, ...namedTypes } = playlistTypes;
const typeOptions = [all, ...toOptions(namedTypes)];
const sortOptions = toOptions({ '': 'Newest', '-modifiedAt': 'Last modified', name: 'Name' });

function Row({ playlist }: { readonly playlist: PlaylistResponse }) {
  const {
    id,
    name,
    type = '',
    status = 'disabled',
    contents = [],
    createdAt,
    modifiedAt,
    createdBy,
    modifiedBy,
  } = playlist;
  const breaks = contents.reduce((sum, { cuePoints = [] }) => sum + cuePoints.length, 0);
  return (
    <tr>
      <td class="name">
        <Link href={`/playlists/${encodeURIComponent(id)}`}>
          <strong>{name || id}</strong>
        </Link>
        {name ? (
          <>
            <br />
            <small>{id}</small>
          </>
        ) : null}
      </td>
      <td class="wide">{playlistTypes[type]}</td>
      <td>
        <StatusBadge status={playlistStatuses[status]} />
      </td>
      <td class="right">{contents.length}</td>
      <td class="right">{breaks}</td>
      <td class="wide">
        {formatDateTime(modifiedAt ?? createdAt)}
        <br />
        <small>{modifiedBy ?? createdBy}</small>
      </td>
    </tr>
  );
}

/** Playlists: all, or those that match. */
export function PlaylistsPage() {
  const { offset, setOffset } = useOffset(PAGE_SIZE);
  const [filters, change] = useQueryState({ q: '', status: '', type: '', sort: '', page: '1' });
  const { page: _, ...wanted } = filters;
  const query = givenOnly({ offset, limit: PAGE_SIZE, ...wanted }) as ApiQuery<'/playlists'>;
  const playlists = useGet('/playlists', { query });
  const { data, total } = playlists;
  const isFiltered = filters.q !== '' || filters.status !== '' || filters.type !== '';
  const set = (changed: Partial<typeof wanted>) => change({ ...changed, page: '1' });
  return (
    <>
      <PageHeader title="Playlists">
        <Link href="/playlists/~new" class="button primary">
          <Icon name="plus" /> Create playlist
        </Link>
      </PageHeader>
      <ListFilters>
        <SearchField label="Find playlist" value={filters.q} onSearch={(q) => set({ q })} />
        <SelectField
          label="Status"
          value={filters.status}
          options={statusOptions}
          onChange={(status) => set({ status })}
        />
        <SelectField label="Type" value={filters.type} options={typeOptions} onChange={(type) => set({ type })} />
        <SelectField label="Sort by" value={filters.sort} options={sortOptions} onChange={(sort) => set({ sort })} />
      </ListFilters>
      <LoadState of={playlists} />
      {data && total === 0 && isFiltered ? <EmptyState icon="playlist" title="No match" /> : null}
      {data && total === 0 && !isFiltered ? (
        <EmptyState icon="playlist" title="No playlists yet">
          <p>A playlist is a list of assets with ad breaks. Linear channels play it in a loop, VoD channels once.</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <Table columns={columns}>
          {data.map((playlist) => (
            <Row key={playlist.id} playlist={playlist} />
          ))}
        </Table>
      ) : null}
      <Pagination offset={offset} limit={PAGE_SIZE} total={total ?? 0} onChange={setOffset} />
    </>
  );
}
