// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { KeyBody, NewKeyResponse } from '../../../src/http/contract/tenantContract.ts';
import { call } from '../api/call.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { Form } from '../components/forms/Form.tsx';
import { FormError } from '../components/forms/FormError.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { fieldError } from '../logic/forms/fieldErrors.ts';

export function CreateKey({ onCreated, onClose }: { onCreated(key: NewKeyResponse): void; onClose(): void }) {
  const installation = useInstallation();
  const [email, setEmail] = useState(installation.email);
  const [name, setName] = useState('');
  const create = useAction(async () => {
    const body: KeyBody = {
      ...(email.trim() === '' ? {} : { email: email.trim() }),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
    };
    onCreated((await call<NewKeyResponse>('POST', '/keys', { body })).body);
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
        <FormError error={create.error} />
        <footer>
          <Button type="submit" kind="primary" isBusy={create.isBusy}>
            Create
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </footer>
      </Form>
    </Dialog>
  );
}
