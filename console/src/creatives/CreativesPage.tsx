// SPDX-License-Identifier: Apache-2.0

import { useState } from 'preact/hooks';
import type { AssetBody } from '../../../src/http/contract/assetContract.ts';
import type { ApiQuery } from '../api/call.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { SearchField } from '../components/forms/SearchField.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { ListFilters, PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { useOffset, useQueryState } from '../navigation/useQueryState.ts';
import { CreativeCard, creativeStatuses } from './CreativeCard.tsx';
import './creatives.css';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { Form, FormError } from '../components/forms/Form.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { addWarnings } from './addWarnings.ts';

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
  const query = givenOnly({ offset, limit: PAGE_SIZE, state, q }) as ApiQuery<'/assets'>;
  const creatives = useGet('/assets', { query }, POLL.active);
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
      <Pagination offset={offset} limit={PAGE_SIZE} total={total ?? 0} onChange={setOffset} />
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
const sources: readonly (readonly [Source, string])[] = [
  ['mediaUrl', 'Video'],
  ['vastUrl', 'VAST document'],
];
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
    <Dialog title="Add creative" onClose={onClose}>
      <Form onSubmit={() => void add.run()}>
        <p class="muted">Midroll fetches the creative and conditions it for every channel on air.</p>
        <SegmentedControl
          label="Source"
          value={source}
          options={sources}
          onChange={(next: Source) => setSource(next)}
        />
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
        <FormError error={add.error} />
        <DialogFooter dismiss={warnings.length > 0 ? 'Close' : 'Cancel'} onClose={onClose}>
          <Button type="submit" kind="primary" requires="tenant" isBusy={add.isBusy}>
            Add
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
