// SPDX-License-Identifier: Apache-2.0

import { useState } from 'preact/hooks';
import type { KeyResponse, NewKeyResponse } from '../../../src/platform/access/contract/tenantContract.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { SecretDialog } from '../components/dialogs/SecretDialog.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { ConsoleSessions } from './ConsoleSessions.tsx';
import { CreateKey } from './CreateKey.tsx';
import { KeyRow } from './KeyRow.tsx';

const columns: readonly Column[] = [
  { label: 'Key' },
  { label: 'Owner' },
  { label: 'Rights' },
  { label: 'Created', kind: 'wide' },
  { label: 'Last used' },
  { label: 'Actions', isHidden: true },
];

/** The API keys of the tenant. */
export function KeysPage() {
  const keys = useGet<KeyResponse[]>('/keys');
  const { data, reload } = keys;
  const [isCreating, setCreating] = useState(false);
  const [newKey, setNewKey] = useState<NewKeyResponse>();
  const show = (key: NewKeyResponse) => {
    setCreating(false);
    setNewKey(key);
    reload();
  };
  return (
    <>
      <PageHeader title="Keys">
        <Button kind="primary" icon="plus" requires="tenant" onClick={() => setCreating(true)}>
          Create key
        </Button>
      </PageHeader>
      <LoadState of={keys} />
      {data ? (
        <Table columns={columns}>
          {data.map((key) => (
            <KeyRow key={key.id} entry={key} onRotated={show} onRevoked={reload} />
          ))}
        </Table>
      ) : null}
      <ConsoleSessions />
      {isCreating ? <CreateKey onCreated={show} onClose={() => setCreating(false)} /> : null}
      {newKey ? (
        <SecretDialog title="New key" name="Key" secret={newKey.key} onClose={() => setNewKey(undefined)} />
      ) : null}
    </>
  );
}
