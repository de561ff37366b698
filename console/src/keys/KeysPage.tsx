// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type {
  KeyBody,
  KeyResponse,
  NewKeyResponse,
  RotationBody,
} from '../../../src/platform/access/contract/accessContract.ts';
import type { Scope } from '../../../src/platform/access/rules/scope.ts';
import { call } from '../api/call.ts';
import { useInstallation } from '../api/installation.ts';
import { serverNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { SecretDialog } from '../components/dialogs/SecretDialog.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { errorWithin } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import { type Column, SecondLine, Table } from '../components/layout/Table.tsx';
import { LabelsField } from '../components/pickers/LabelsField.tsx';
import { RecordChoices } from '../components/pickers/RecordChoices.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { formatDateTime } from '../format/time.ts';
import { endOfDay, keyNotes } from './keyNotes.ts';

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
  const rotate = async () => {
    const body: RotationBody = { overlapSeconds: OVERLAP_HOURS * 3600 };
    return (await call('POST', '/keys/{id}/rotate', { path: { id }, body })).body;
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
        <SecondLine>
          {channels === undefined ? null : <RecordNames kind="channels" ids={channels} />}
          {channels === undefined && labels.length === 0 ? 'All channels' : null}
        </SecondLine>
        <TextList class="labels" texts={labels} />
      </td>
      <td class="wide">
        {formatDateTime(createdAt)}
        <SecondLine>{createdBy}</SecondLine>
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
            onDone={onRotated}
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

const sessionColumns: readonly Column[] = [
  { label: 'User' },
  { label: 'Role' },
  { label: 'Signed in', kind: 'wide' },
  { label: 'Last seen' },
  { label: 'Actions', isHidden: true },
];

/** Users who are signed in at a provider. Nothing if there are none. */
function ConsoleSessions() {
  const { data = [], reload } = useGet('/console-sessions', {}, POLL.slow);
  if (data.length === 0) return null;
  return (
    <section class="stack">
      <h2>Signed in</h2>
      <Table columns={sessionColumns}>
        {data.map(({ id, email, name, scope, createdAt, lastSeenAt, isCurrent }) => (
          <tr key={id}>
            <td class="name">
              <strong>{name ?? email}</strong>
              <SecondLine>{isCurrent ? `${email} (this browser)` : email}</SecondLine>
            </td>
            <td>{scope}</td>
            <td class="wide">{formatDateTime(createdAt)}</td>
            <td>{formatDateTime(lastSeenAt)}</td>
            <td>
              <div class="actions end">
                <ConfirmButton
                  label="End"
                  title="End this session?"
                  kind="quiet"
                  requires="tenant"
                  message={`${email} has to sign in again.`}
                  act={async () => {
                    await call('DELETE', '/console-sessions/{id}', { path: { id } });
                    reload();
                  }}
                />
              </div>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const scopeLabels: Readonly<Record<Scope, string>> = { read: 'Read', operate: 'Operate', manage: 'Manage' };
const scopeHints: Readonly<Record<Scope, string>> = {
  read: 'Reads everything except credentials.',
  operate: 'Reads, inserts breaks, switches channels on and off, and retries creatives.',
  manage: 'Changes everything, keys included.',
};

function CreateKey({ onCreated, onClose }: { onCreated(key: NewKeyResponse): void; onClose(): void }) {
  const installation = useInstallation();
  const [form, setForm] = useState({ email: installation.email, name: '', scope: 'manage' as Scope, expiresAt: '' });
  const { email, name, scope, expiresAt } = form;
  const [channels, setChannels] = useState<readonly string[]>([]);
  const [labels, setLabels] = useState<readonly string[]>([]);
  const create = useAction(async () => {
    const body: KeyBody = {
      ...(email.trim() === '' ? {} : { email: email.trim() }),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      scope,
      ...(channels.length === 0 ? {} : { channels: [...channels] }),
      ...(labels.length === 0 ? {} : { labels: [...labels] }),
      ...(expiresAt === '' ? {} : { expiresAt: endOfDay(expiresAt) }),
    };
    onCreated((await call('POST', '/keys', { body })).body);
  });
  const { field, choice } = formFields(form, create.fields, (changed) => setForm({ ...form, ...changed }));
  return (
    <FormDialog title="Create key" action={create} label="Create" onClose={onClose}>
      <TextField label="Name" {...field('name')} placeholder="Playout automation" />
      <TextField
        label="Owner email"
        type="email"
        {...field('email')}
        hint="Recorded as the author of changes made with this key."
      />
      <SelectField label="Scope" {...choice('scope', scopeLabels)} hint={scopeHints[scope]} />
      <RecordChoices
        label="Channels"
        kind="channels"
        none="All channels, and the whole tenant"
        chosen={channels}
        onChange={setChannels}
      />
      <LabelsField
        label="Labels"
        kind="channels"
        labels={labels}
        error={errorWithin(create.fields, '/labels')}
        hint="The key also has the channels that get one of these labels later."
        onChange={setLabels}
      />
      <TextField
        label="Expires"
        type="date"
        {...field('expiresAt')}
        hint="Last day on which the key is valid. Empty: no expiry."
      />
    </FormDialog>
  );
}
