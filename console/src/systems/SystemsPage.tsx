import { useState } from 'preact/hooks';
import type { SystemAnswer } from '../../../src/http/tenantContract.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../parts/Button.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { SystemCard } from './SystemCard.tsx';
import { SystemDialog } from './SystemDialog.tsx';
import './systems.css';

/** How those do that lie elsewhere changes by itself. */
const EVERY = 15_000;

/** What this installation works with: itself, search backends, clouds. */
export function SystemsPage() {
  const { data, error, isLoading, reload } = useGet<SystemAnswer[]>('/systems', EVERY);
  const [edited, setEdited] = useState<SystemAnswer | 'new'>();
  const close = () => {
    setEdited(undefined);
    reload();
  };
  return (
    <>
      <PageHead title="Systems">
        <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
          Add a system
        </Button>
      </PageHead>
      <ErrorNotice error={error} onRetry={reload} />
      {isLoading ? <Loading /> : null}
      <ul class="systems">
        {data?.map((system) => (
          <SystemCard key={system.id} system={system} onEdit={() => setEdited(system)} onRemoved={reload} />
        ))}
      </ul>
      {edited === undefined ? null : <SystemDialog system={edited === 'new' ? undefined : edited} onClose={close} />}
    </>
  );
}
