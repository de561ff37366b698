// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { KeyBody, NewKeyResponse } from '../../../src/platform/access/contract/accessContract.ts';
import type { Scope } from '../../../src/platform/access/rules/scope.ts';
import { call } from '../api/call.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { errorWithin } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { LabelsField } from '../components/pickers/LabelsField.tsx';
import { RecordChoices } from '../components/pickers/RecordChoices.tsx';
import { endOfDay } from './keyNotes.ts';

const scopeLabels: Readonly<Record<Scope, string>> = { read: 'Read', operate: 'Operate', manage: 'Manage' };
const scopeHints: Readonly<Record<Scope, string>> = {
  read: 'Reads everything except credentials.',
  operate: 'Reads, inserts breaks, switches channels on and off, and retries creatives.',
  manage: 'Changes everything, keys included.',
};

export function CreateKey({ onCreated, onClose }: { onCreated(key: NewKeyResponse): void; onClose(): void }) {
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
