import { useState } from 'preact/hooks';
import type { KeyAnswer, NewKeyAnswer } from '../../../src/http/tenantContract.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../parts/Button.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { CreateKey } from './CreateKey.tsx';
import { KeyRow } from './KeyRow.tsx';
import { NewKey } from './NewKey.tsx';

/** Who may use the interface: keys are made, put in each other's place, and revoked. */
export function KeysPage() {
  const { data, error, isLoading, reload } = useGet<KeyAnswer[]>('/keys');
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<NewKeyAnswer>();
  const show = (key: NewKeyAnswer) => {
    setCreating(false);
    setMade(key);
    reload();
  };
  return (
    <>
      <PageHead title="Keys">
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          Create a key
        </Button>
      </PageHead>
      <ErrorNotice error={error} onRetry={reload} />
      {isLoading ? <Loading /> : null}
      {data ? (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th>Key</th>
                <th>Owner</th>
                <th class="wide">Created</th>
                <th>Last used</th>
                <th>
                  <span class="unseen">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((key) => (
                <KeyRow key={key.id} entry={key} onNew={show} onRevoked={reload} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {isCreating ? <CreateKey onMade={show} onClose={() => setCreating(false)} /> : null}
      {made ? <NewKey entry={made} onClose={() => setMade(undefined)} /> : null}
    </>
  );
}
