// SPDX-License-Identifier: Apache-2.0

import { useRef, useState } from 'preact/hooks';
import type {
  KeyResponse,
  NewKeyResponse,
  RotationBody,
} from '../../../src/platform/access/contract/accessContract.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/serverClock.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { SecretDialog } from '../components/dialogs/SecretDialog.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { formatDateTime } from '../format/time.ts';
import { ConsoleSessions } from './ConsoleSessions.tsx';
import { CreateKey } from './CreateKey.tsx';
import { keyNotes } from './keyNotes.ts';

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
  const keys = useGet('/keys');
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

type KeyRowProps = { readonly entry: KeyResponse; onRotated(key: NewKeyResponse): void; onRevoked(): void };

/** How long the old key stays valid after a rotation, so that clients can switch to the new one. */
const OVERLAP_HOURS = 24;

function KeyRow({ entry, onRotated, onRevoked }: KeyRowProps) {
  const { id, name, email, hint, scope, channels, labels = [], createdAt, createdBy, lastUsedAt, expiresAt } = entry;
  const newKey = useRef<NewKeyResponse>();
  const rotate = async () => {
    const body: RotationBody = { overlapSeconds: OVERLAP_HOURS * 3600 };
    newKey.current = (await call('POST', '/keys/{id}/rotate', { path: { id }, body })).body;
  };
  const revoke = async () => {
    await call('DELETE', '/keys/{id}', { path: { id } });
    showToast({ text: `${name ?? hint} revoked.` });
    onRevoked();
  };
  return (
    <tr>
      <td class="name">
        <strong>{name ?? 'Unnamed'}</strong>
        <br />
        <code>{hint}…</code>
      </td>
      <td class="name">{email}</td>
      <td class="name">
        {scope}
        <br />
        <small>
          {channels === undefined ? null : <RecordNames kind="channels" ids={channels} />}
          {channels === undefined && labels.length === 0 ? 'All channels' : null}
        </small>
        <TextList class="labels" texts={labels} />
      </td>
      <td class="wide">
        {formatDateTime(createdAt)}
        <br />
        <small>{createdBy}</small>
      </td>
      <td>
        {lastUsedAt === undefined ? 'Never' : formatDateTime(lastUsedAt)}
        {expiresAt === undefined ? null : <div class="small muted">Valid until {formatDateTime(expiresAt)}</div>}
        {keyNotes(entry, serverNow()).map(({ tone, text }) => (
          <div key={text}>
            <Badge tone={tone}>{text}</Badge>
          </div>
        ))}
      </td>
      <td>
        <div class="actions end">
          <ConfirmButton
            label="Rotate"
            requires="tenant"
            title="Rotate this key?"
            kind="plain"
            message={`Creates a new key for ${email} with the same rights and without expiry, and shows it once. The key ${hint}… stays valid for ${OVERLAP_HOURS} hours.`}
            act={rotate}
            onDone={() => newKey.current && onRotated(newKey.current)}
          />
          <ConfirmationButton
            label="Revoke"
            requires="tenant"
            title={`Revoke ${name ?? 'this key'}?`}
            kind="quiet"
            target={{ kind: 'key' }}
            name={name ?? hint}
            consequence={`Requests with the key ${hint}… fail from now on. Viewers are not affected. A revoked key cannot be restored.`}
            verb="Revoke key"
            act={revoke}
          />
        </div>
      </td>
    </tr>
  );
}
