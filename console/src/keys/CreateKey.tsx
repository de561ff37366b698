// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { KeyBody, NewKeyResponse } from '../../../src/platform/access/contract/accessContract.ts';
import type { Scope } from '../../../src/platform/access/rules/scope.ts';
import { call } from '../api/call.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { Dialog, DialogButtons } from '../components/dialogs/Dialog.tsx';
import { Form, FormError } from '../components/forms/Form.tsx';
import { errorWithin, fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { LabelsField } from '../components/pickers/LabelsField.tsx';
import { RecordChoices } from '../components/pickers/RecordChoices.tsx';
import { endOfDay } from './keyNotes.ts';

const scopeOptions = toOptions<Scope>({ read: 'Read', operate: 'Operate', manage: 'Manage' });
const scopeHints: Readonly<Record<Scope, string>> = {
  read: 'Reads everything except credentials.',
  operate: 'Reads, inserts breaks, switches channels on and off, and retries creatives.',
  manage: 'Changes everything, keys included.',
};

export function CreateKey({ onCreated, onClose }: { onCreated(key: NewKeyResponse): void; onClose(): void }) {
  const installation = useInstallation();
  const [email, setEmail] = useState(installation.email);
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('manage');
  const [channels, setChannels] = useState<readonly string[]>([]);
  const [labels, setLabels] = useState<readonly string[]>([]);
  const [lastDay, setLastDay] = useState('');
  const create = useAction(async () => {
    const body: KeyBody = {
      ...(email.trim() === '' ? {} : { email: email.trim() }),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      scope,
      ...(channels.length === 0 ? {} : { channels: [...channels] }),
      ...(labels.length === 0 ? {} : { labels: [...labels] }),
      ...(lastDay === '' ? {} : { expiresAt: endOfDay(lastDay) }),
    };
    onCreated((await call('POST', '/keys', { body })).body);
  });
  return (
    <Dialog title="Create key" onClose={onClose}>
      <Form onSubmit={() => void create.run()}>
        <TextField
          label="Name"
          value={name}
          error={fieldError(create.fields, '/name')}
          onInput={setName}
          placeholder="Playout automation"
        />
        <TextField
          label="Owner email"
          type="email"
          value={email}
          error={fieldError(create.fields, '/email')}
          onInput={setEmail}
          hint="Recorded as the author of changes made with this key."
        />
        <SelectField
          label="Scope"
          value={scope}
          options={scopeOptions}
          hint={scopeHints[scope]}
          onChange={(value) => setScope(value)}
        />
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
          value={lastDay}
          error={fieldError(create.fields, '/expiresAt')}
          onInput={setLastDay}
          hint="Last day on which the key is valid. Empty: no expiry."
        />
        <FormError error={create.error} />
        <DialogButtons label="Create" isBusy={create.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
