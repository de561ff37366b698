// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { AssetBody, AssetResponse } from '../../../src/http/contract/assetContract.ts';
import { type ApiQuery, call, callAll } from '../api/call.ts';
import { POLL, useGet, useLatest } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { type Filter, FilterBar } from '../components/filters/FilterBar.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { DataTable } from '../components/table/DataTable.tsx';
import { SelectionBar } from '../components/table/SelectionBar.tsx';
import { nothing } from '../components/table/selection.ts';
import { useColumns } from '../components/table/useColumns.tsx';
import { useKnownRows } from '../components/table/useKnownRows.ts';
import { useListView, ViewSwitch } from '../components/table/useListView.tsx';
import { useSelection } from '../components/table/useSelection.ts';
import { givenOnly } from '../format/givenOnly.ts';
import { useOffset, useQueryState } from '../navigation/useQueryState.ts';
import { CreativeCard, creativeStatuses } from './CreativeCard.tsx';
import { creativeColumns } from './creativeColumns.tsx';
import { creativeName, groupCreatives } from './creativeGroups.ts';
import './creatives.css';
import { useAction } from '../api/useAction.ts';
import { type BulkAction, BulkActions, commonActions, type SelectedProps } from '../bulk/BulkActions.tsx';
import { planCreatives } from '../bulk/recordChanges.ts';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { addWarnings } from './addWarnings.ts';

const PAGE_SIZE = 24;
const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'state',
    label: 'Status',
    options: Object.entries(creativeStatuses).map(([value, [, label]]) => ({ value, label })),
  },
  {
    kind: 'choice',
    name: 'kind',
    label: 'Kind',
    options: toOptions({ creative: 'Creatives', slate: 'Slate' }),
  },
  { kind: 'record', name: 'channel', label: 'Channel', of: 'channels' },
];
const noFilters = { q: '', state: '', kind: '', channel: '' };

const factsOf = (asset: AssetResponse) =>
  ({ id: asset.id, name: creativeName(asset), tone: asset.state === 'failed' ? 'bad' : undefined }) as const;

/** Creatives and slate, one for each ladder, and their status. */
export function CreativesPage() {
  const [{ sort, page: _, ...given }, change] = useQueryState({ ...noFilters, sort: '', page: '1' });
  const { offset, setOffset } = useOffset(PAGE_SIZE);
  const [isAdding, setAdding] = useState(false);
  const wanted = givenOnly({ ...given, sort }) as ApiQuery<'/assets'>;
  const creatives = useGet('/assets', { query: { ...wanted, offset, limit: PAGE_SIZE } }, POLL.active);
  const { reload } = creatives;
  // The previous page stays while the next one is loading.
  const data = useLatest(creatives.data);
  const total = useLatest(creatives.total ?? undefined) ?? 0;
  const { selection, select } = useSelection(JSON.stringify(given));
  const readAll = async () => (await callAll('/assets', { query: wanted })).body;
  const { selected, everything } = useKnownRows(data, selection, readAll, select);
  const columns = useColumns('creatives', creativeColumns);
  const view = useListView('creatives', total);
  const isFiltered = Object.values(given).some((value) => value !== '');
  const set = (changed: Partial<Record<string, string>>) => change({ ...changed, page: '1' });
  return (
    <>
      <PageHeader title="Creatives">
        <Button kind="primary" icon="plus" requires="tenant" onClick={() => setAdding(true)}>
          Add creative
        </Button>
      </PageHeader>
      <FilterBar
        search={{
          label: 'Find creative',
          value: given.q,
          placeholder: 'Name, ID or source URL',
          onSearch: (q) => set({ q }),
        }}
        filters={filters}
        values={given}
        onChange={(name, value) => set({ [name]: value })}
        onClear={() => set(noFilters)}
      >
        {view.isTable ? columns.menu : null}
        <ViewSwitch view={view} />
      </FilterBar>
      <LoadState of={{ ...creatives, isLoading: data === undefined && creatives.isLoading }} />
      {data?.length === 0 ? (
        <EmptyState icon="creatives" title={isFiltered ? 'No matching creatives' : 'No creatives yet'}>
          <p>
            Midroll fetches and conditions a creative when an ad server returns it for the first time. Add it here to
            prepare it in advance.
          </p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 && view.isTable ? (
        <DataTable
          label="Creatives"
          columns={columns.shown}
          rows={data}
          sort={sort}
          selection={selection}
          factsOf={factsOf}
          onSort={(next) => set({ sort: next })}
          onSelect={select}
        />
      ) : null}
      {data && !view.isTable ? (
        <ul class="creatives">
          {groupCreatives(data).map((group) => (
            <CreativeCard key={group[0].id} group={group} onChanged={reload} />
          ))}
        </ul>
      ) : null}
      <ErrorNotice error={everything.error} />
      {view.isTable ? (
        <SelectionBar
          count={selected.length}
          matching={total}
          isBusy={everything.isBusy}
          onSelectMatching={() => void everything.run()}
          onClear={() => select(nothing)}
        >
          <CreativeActions
            selected={selected.map((asset) => ({ ...asset, name: creativeName(asset) }))}
            onChanged={reload}
            onDone={() => select(nothing)}
          />
        </SelectionBar>
      ) : null}
      <Pagination offset={offset} limit={PAGE_SIZE} total={total} onChange={setOffset} />
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

type Source = keyof Pick<AssetBody, 'mediaUrl' | 'vastUrl'>;
const sources: Readonly<Record<Source, string>> = { mediaUrl: 'Video', vastUrl: 'VAST document' };
const urlLabels: Readonly<Record<Source, string>> = { mediaUrl: 'Video or manifest URL', vastUrl: 'VAST URL' };

/** Prepares creatives before an ad server returns them. */
function AddCreative({ onClose }: { onClose(): void }) {
  const [source, setSource] = useState<Source>('mediaUrl');
  const [url, setUrl] = useState('');
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const add = useAction(async () => {
    const body: AssetBody = { [source]: url.trim() };
    const { body: added } = await call('POST', '/assets', { body });
    const reported = addWarnings(added);
    if (reported.length === 0) onClose();
    setWarnings(reported);
  });
  return (
    <FormDialog
      title="Add creative"
      action={add}
      label="Add"
      dismiss={warnings.length > 0 ? 'Close' : 'Cancel'}
      requires="tenant"
      onClose={onClose}
    >
      <p class="muted">Midroll fetches the creative and conditions it for every channel on air.</p>
      <SegmentedControl label="Source" value={source} options={sources} onChange={setSource} />
      <TextField
        label={urlLabels[source]}
        type="url"
        value={url}
        error={fieldError(add.fields, `/${source}`)}
        onInput={setUrl}
      />
      {warnings.length === 0 ? null : (
        <Notice tone="warn">
          {warnings.map((each, at) => (
            <p key={at}>{each}</p>
          ))}
        </Notice>
      )}
    </FormDialog>
  );
}

const bulkActions = {
  retry: {
    button: 'Retry',
    verb: 'Retry',
    done: 'queued',
    consequence: 'Midroll prepares them again as soon as a worker is free.',
    isHarmless: true,
  },
  delete: {
    ...commonActions.delete,
    consequence: 'Breaks on air are not affected. Midroll prepares them again when an ad server returns them.',
    isHarmless: true,
  },
} as const satisfies Readonly<Record<string, BulkAction>>;

type Creative = { readonly id: string; readonly name: string; readonly channels: readonly string[] };

/** What can be done with the selected creatives. */
const CreativeActions = (props: SelectedProps<Creative>) => (
  <BulkActions
    {...props}
    noun="creative"
    actions={bulkActions}
    targetOf={(rows) => ({ kind: 'creative', channelIds: [...new Set(rows.flatMap(({ channels }) => channels))] })}
    rightOf={(name) => (name === 'retry' ? 'operate' : 'tenant')}
    plan={(name, rows) => planCreatives(rows, name)}
  />
);
