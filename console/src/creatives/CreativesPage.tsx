import { useState } from 'preact/hooks';
import type { AssetAnswer } from '../../../src/http/assetContract.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../parts/Button.tsx';
import { Choice } from '../parts/Choice.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { Pager } from '../parts/Pager.tsx';
import { AddCreative } from './AddCreative.tsx';
import { CreativeCard } from './CreativeCard.tsx';
import './creatives.css';

const LIMIT = 24;
const states = [
  { value: '', text: 'All' },
  { value: 'failed', text: 'Failed' },
  { value: 'preparing', text: 'Being made' },
  { value: 'waiting', text: 'Waiting' },
  { value: 'ready', text: 'Ready' },
];

/** What ads and slate are made of: each creative for each ladder, and how it is getting on. */
export function CreativesPage() {
  const [state, setState] = useState('');
  const [offset, setOffset] = useState(0);
  const [isAdding, setAdding] = useState(false);
  const filter = state === '' ? '' : `&state=${state}`;
  const { data, total, error, isLoading, reload } = useGet<AssetAnswer[]>(
    `/assets?offset=${offset}&limit=${LIMIT}${filter}`,
    5000,
  );
  return (
    <>
      <PageHead title="Creatives">
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          Prepare a creative
        </Button>
      </PageHead>
      <div class="creatives-filter">
        <Choice
          label="State"
          value={state}
          options={states}
          onChange={(next) => {
            setState(next);
            setOffset(0);
          }}
        />
      </div>
      <ErrorNotice error={error} onRetry={reload} />
      {isLoading ? <Loading /> : null}
      {data?.length === 0 ? (
        <Empty icon="creatives" title={state === '' ? 'No creatives yet' : 'None in this state'}>
          <p>
            The first time that an ad server names a creative, it is fetched and made to fit the channel. You can have
            it made before.
          </p>
        </Empty>
      ) : null}
      <ul class="creatives">
        {data?.map((asset) => (
          <CreativeCard key={asset.id} asset={asset} onChanged={reload} />
        ))}
      </ul>
      <Pager {...{ offset, limit: LIMIT, total: total ?? 0 }} onChange={setOffset} />
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
