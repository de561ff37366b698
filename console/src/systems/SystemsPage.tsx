// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { SystemResponse } from '../../../src/platform/access/contract/tenantContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { SystemCard } from './SystemCard.tsx';
import { SystemDialog } from './SystemDialog.tsx';
import './systems.css';

/** This installation, and the search backends and clouds that it uses. */
export function SystemsPage() {
  const systems = useGet<SystemResponse[]>('/systems', POLL.slow);
  const { data, reload } = systems;
  const [edited, setEdited] = useState<SystemResponse | 'new'>();
  const close = () => {
    setEdited(undefined);
    reload();
  };
  return (
    <>
      <PageHeader title="Systems">
        <Button kind="primary" icon="plus" requires="tenant" onClick={() => setEdited('new')}>
          Add system
        </Button>
      </PageHeader>
      <LoadState of={systems} />
      <ul class="systems">
        {data?.map((system) => (
          <SystemCard
            key={system.id}
            system={system}
            isLast={system.type === 'ssai' && data.filter(({ type }) => type === 'ssai').length === 1}
            onEdit={() => setEdited(system)}
            onRemoved={reload}
          />
        ))}
      </ul>
      {edited === undefined ? null : <SystemDialog system={edited === 'new' ? undefined : edited} onClose={close} />}
    </>
  );
}
