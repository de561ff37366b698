// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { ApiQuery } from '../api/call.ts';
import { POLL, useGet, useGetAll, useLatest } from '../api/useGet.ts';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { type Filter, FilterBar } from '../components/filters/FilterBar.tsx';
import { toOptions } from '../components/forms/SelectField.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { type Column, SecondLine, Table } from '../components/layout/Table.tsx';
import { labelsIn } from '../components/pickers/labelRules.ts';
import { usesSource } from '../confirmations/useAffected.ts';
import { givenOnly } from '../format/givenOnly.ts';
import { plural } from '../format/numbers.ts';
import { useOffset, useQueryState } from '../navigation/useQueryState.ts';
import { ChannelLinks } from './ChannelLinks.tsx';
import { sourceTypes } from './sourceTypes.ts';

const PAGE_SIZE = 50;
const noFilters = { q: '', type: '', label: '' };
const filters: readonly Filter[] = [
  { kind: 'choice', name: 'type', label: 'Type', options: toOptions(sourceTypes) },
  { kind: 'labels', name: 'label', label: 'Label', of: 'adSources' },
];
const columns: readonly Column[] = [
  { label: 'Name' },
  { label: 'Type', kind: 'wide' },
  { label: 'URL or videos', kind: 'wide' },
  { label: 'Used by' },
];

/** Ad sources, and the channels that use them. */
export function AdSourcesPage() {
  const { offset, setOffset } = useOffset(PAGE_SIZE);
  const [{ page: _, ...given }, change] = useQueryState({ ...noFilters, page: '1' });
  const labels = labelsIn(given.label);
  const wanted = givenOnly({ ...given, label: labels.length === 0 ? undefined : [...labels] });
  const query = { ...wanted, offset, limit: PAGE_SIZE } as ApiQuery<'/ad-sources'>;
  const sources = useGet('/ad-sources', { query }, POLL.slow);
  const channels = useGetAll('/channels');
  // Of more than 1,000 channels, only the newest are known.
  const areKnown = channels.data?.length === channels.total;
  const usersOf = (id: string) => channels.data?.filter((channel) => usesSource(channel, id)) ?? [];
  // The previous page stays while the next one is loading.
  const data = useLatest(sources.data);
  const isFiltered = Object.keys(wanted).length > 0;
  return (
    <>
      <PageHeader title="Ad sources">
        <Link href="/ad-sources/~new" class="button primary">
          <Icon name="plus" /> Create ad source
        </Link>
      </PageHeader>
      <FilterBar
        search={{ label: 'Find ad source', value: given.q, onSearch: (q) => change({ q, page: '1' }) }}
        filters={filters}
        values={given}
        onChange={(name, value) => change({ [name]: value, page: '1' })}
        onClear={() => change({ ...noFilters, page: '1' })}
      />
      <LoadState of={{ ...sources, isLoading: data === undefined && sources.isLoading }} />
      {data?.length === 0 ? (
        <EmptyState icon="sources" title={isFiltered ? 'No match' : 'No ad sources yet'}>
          {isFiltered ? null : (
            <p>An ad source is an ad server, a bidder or a list of your own videos. Channels list theirs in steps.</p>
          )}
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <Table columns={columns} isFocusable>
          {data.map(({ id, name, type, url, creatives = [], labels: own = [] }) => (
            <tr key={id}>
              <td class="name">
                <Link href={`/ad-sources/${encodeURIComponent(id)}`}>{name || id}</Link>
                {name ? <SecondLine>{id}</SecondLine> : null}
                <TextList class="labels" texts={own} />
              </td>
              <td class="wide nowrap">{sourceTypes[type]}</td>
              <td class="wide">
                {type === 'house' ? plural(creatives.length, 'video') : <code class="url">{url}</code>}
              </td>
              <td>{areKnown || usersOf(id).length > 0 ? <ChannelLinks channels={usersOf(id)} /> : null}</td>
            </tr>
          ))}
        </Table>
      ) : null}
      <Pagination offset={offset} limit={PAGE_SIZE} total={sources.total ?? 0} onChange={setOffset} />
    </>
  );
}
