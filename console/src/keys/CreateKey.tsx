import { useState } from 'preact/hooks';
import type { NewKeyAnswer } from '../../../src/http/tenantContract.ts';
import { call } from '../api/call.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import { Button } from '../parts/Button.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { FormError } from '../parts/FormError.tsx';
import { TextField } from '../parts/TextField.tsx';

export function CreateKey({ onMade, onClose }: { onMade(key: NewKeyAnswer): void; onClose(): void }) {
  const installation = useInstallation();
  const [email, setEmail] = useState(installation.email);
  const [name, setName] = useState('');
  const create = useAction(async () => {
    const body = {
      ...(email.trim() === '' ? {} : { email: email.trim() }),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
    };
    onMade((await call<NewKeyAnswer>('POST', '/keys', { body })).body);
  });
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <TextField
          label="What it is for"
          value={name}
          error={errorAt(create.fields, '/name')}
          onInput={setName}
          placeholder="Playout automation"
        />
        <TextField
          label="Owner's e-mail"
          type="email"
          value={email}
          error={errorAt(create.fields, '/email')}
          onInput={setEmail}
          hint="Stands as the author of what is done with the key."
        />
        <FormError error={create.error} />
        <footer>
          <Button type="submit" kind="primary" isBusy={create.isBusy}>
            Create
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </footer>
      </form>
    </Dialog>
  );
}
