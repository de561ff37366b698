// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { AssetResponse } from '../../../src/http/contract/assetContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SearchField } from '../components/forms/SearchField.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { ListFilters } from '../components/layout/ListFilters.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { listQuery } from '../format/listQuery.ts';
import { useOffset } from '../navigation/useOffset.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { AddCreative } from './AddCreative.tsx';
import { CreativeCard, creativeStatuses } from './CreativeCard.tsx';
import './creatives.css';

const PAGE_SIZE = 24;
const statusOptions = [
  { value: '', label: 'All' },
  ...Object.entries(creativeStatuses).map(([value, [, label]]) => ({ value, label })),
];

/** Creatives and slate, one for each ladder, and their status. */
export function CreativesPage() {
  const [{ state, q }, changeQuery] = useQueryState({ state: '', q: '', page: '1' });
  const { offset, setOffset } = useOffset(PAGE_SIZE);
  const [isAdding, setAdding] = useState(false);
  const query = listQuery({ offset, limit: PAGE_SIZE, state, q });
  const creatives = useGet<AssetResponse[]>(`/assets?${query}`, POLL.active);
  const { data, total, reload } = creatives;
  return (
    <>
      <PageHeader title="Creatives">
        <Button kind="primary" icon="plus" requires="tenant" onClick={() => setAdding(true)}>
          Add creative
        </Button>
      </PageHeader>
      <ListFilters>
        <SearchField label="Find creative" value={q} onSearch={(next) => changeQuery({ q: next, page: '1' })} />
        <SelectField
          label="Status"
          value={state}
          options={statusOptions}
          onChange={(next) => changeQuery({ state: next, page: '1' })}
        />
      </ListFilters>
      <LoadState of={creatives} />
      {data?.length === 0 ? (
        <EmptyState icon="creatives" title={state === '' && q === '' ? 'No creatives yet' : 'No matching creatives'}>
          <p>
            Midroll fetches and conditions a creative when an ad server returns it for the first time. Add it here to
            prepare it in advance.
          </p>
        </EmptyState>
      ) : null}
      <ul class="creatives">
        {data?.map((asset) => (
          <CreativeCard key={asset.id} asset={asset} onChanged={reload} />
        ))}
      </ul>
      <Pagination {...{ offset, limit: PAGE_SIZE, total: total ?? 0 }} onChange={setOffset} />
      {isAdding ? (
        <AddCreative
          onClose={() => {
            setAdding(false);
            reload();
          }}
        />
      ) : null}
    </>
  );
}
