import { useState } from 'preact/hooks';
import type { SystemAnswer } from '../../../src/http/tenantContract.ts';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import { mergePatch } from '../logic/mergePatch.ts';
import { isSecret, type SystemType, settingNames, typeWords } from '../logic/settingNames.ts';
import { Button } from '../parts/Button.tsx';
import { Choice } from '../parts/Choice.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { FormError } from '../parts/FormError.tsx';
import { Notice } from '../parts/Notice.tsx';
import { TextField } from '../parts/TextField.tsx';

type Settings = Readonly<Record<string, string>>;
/** What another type was given is not sent: it would be refused, at fields that nobody sees. */
const filled = (settings: Settings, type: SystemType): Settings =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== '' && settingNames[type].includes(name)),
  );

type SystemDialogProps = { readonly system: SystemAnswer | undefined; onClose(): void };

/** Makes a system or changes one. @param system undefined for a new one */
export function SystemDialog({ system, onClose }: SystemDialogProps) {
  const [name, setName] = useState(system?.name ?? '');
  const [type, setType] = useState<SystemType>(system?.type ?? 'ssai');
  const [settings, setSettings] = useState<Settings>(system?.settings ?? {});
  const save = useAction(async () => {
    const fields = { name, type, settings: filled(settings, type) };
    if (system === undefined) await call('POST', '/systems', { body: fields });
    else {
      const { name: oldName, type: oldType, settings: old = {}, __v: version } = system;
      const path = `/systems/${system.id}`;
      const body = mergePatch({ name: oldName, type: oldType, settings: old }, fields);
      // Lists carry no tags: this is the tag of what was edited, or somebody was quicker.
      const now = await call<SystemAnswer>('GET', path);
      if (now.body.__v !== version) throw new ApiError(412, 'Somebody changed this system while you were editing.');
      await call('PATCH', path, { body, ifMatch: now.etag });
    }
    onClose();
  });
  const isOvertaken = save.error instanceof ApiError && save.error.status === 412;
  return (
    <Dialog title={system === undefined ? 'Add a system' : 'Edit the system'} onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <div class="pair">
          <TextField label="Name" value={name} error={errorAt(save.fields, '/name')} onInput={setName} />
          <Choice
            label="Type"
            value={type}
            options={Object.entries(typeWords).map(([value, text]) => ({ value, text }))}
            error={errorAt(save.fields, '/type')}
            onChange={(next) => setType(next as SystemType)}
          />
        </div>
        <div class="pair">
          {settingNames[type].map((each) => (
            <TextField
              key={each}
              label={each}
              type={isSecret(each) ? 'password' : 'text'}
              autoComplete={isSecret(each) ? 'new-password' : 'off'}
              value={settings[each] ?? ''}
              error={errorAt(save.fields, `/settings/${each}`)}
              onInput={(value) => setSettings({ ...settings, [each]: value })}
            />
          ))}
        </div>
        {isOvertaken ? (
          <Notice tone="warn">
            Somebody changed this system while you were editing. Close this to see their version (your changes go).
          </Notice>
        ) : (
          <FormError error={save.error} />
        )}
        <footer>
          <Button type="submit" kind="primary" isBusy={save.isBusy}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </footer>
      </form>
    </Dialog>
  );
}
