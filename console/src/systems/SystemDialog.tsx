// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { SystemBody, SystemResponse } from '../../../src/platform/access/contract/tenantContract.ts';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { DialogButtons } from '../components/dialogs/DialogButtons.tsx';
import { Form } from '../components/forms/Form.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { mergePatch } from '../components/forms/mergePatch.ts';
import { SaveError } from '../components/forms/SaveError.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { fieldLabel } from '../format/labels.ts';
import { isSecret, type SystemType, settingNames, systemTypeLabels } from './systemSettings.ts';

type Settings = NonNullable<SystemBody['settings']>;
/** Omits empty settings, and those of another type: the API would report errors for fields that are not shown. */
const settingsFor = (settings: Settings, type: SystemType): Settings =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== '' && settingNames[type].includes(name)),
  );

type SystemDialogProps = { readonly system: SystemResponse | undefined; onClose(): void };

/** Saves the edits of a system unless someone else has changed it since it was listed. */
async function update({ id, name, type, settings = {}, __v: version }: SystemResponse, edited: SystemBody) {
  const path = `/systems/${id}`;
  // Lists have no ETags. This reads the ETag of the version that was edited.
  const latest = await call<SystemResponse>('GET', path);
  if (latest.body.__v !== version) throw new ApiError(412, 'Someone else changed this system.');
  await call('PATCH', path, { body: mergePatch({ name, type, settings }, edited), ifMatch: latest.etag });
}

/** Creates or edits a system. @param system undefined for a new one */
export function SystemDialog({ system, onClose }: SystemDialogProps) {
  const [name, setName] = useState(system?.name ?? '');
  const [type, setType] = useState<SystemType>(system?.type ?? 'ssai');
  const [settings, setSettings] = useState<Settings>(system?.settings ?? {});
  const save = useAction(async () => {
    const body: SystemBody = { name, type, settings: settingsFor(settings, type) };
    if (system === undefined) await call('POST', '/systems', { body });
    else await update(system, body);
    onClose();
  });
  return (
    <Dialog title={system === undefined ? 'Add system' : 'Edit system'} onClose={onClose}>
      <Form onSubmit={() => void save.run()}>
        <div class="pair">
          <TextField label="Name" value={name} error={fieldError(save.fields, '/name')} onInput={setName} />
          <SelectField
            label="Type"
            value={type}
            options={toOptions(systemTypeLabels)}
            error={fieldError(save.fields, '/type')}
            onChange={(next: SystemType) => setType(next)}
          />
        </div>
        <div class="pair">
          {settingNames[type].map((each) => (
            <TextField
              key={each}
              label={fieldLabel(each)}
              type={isSecret(each) ? 'password' : 'text'}
              autoComplete={isSecret(each) ? 'new-password' : 'off'}
              value={settings[each] ?? ''}
              error={fieldError(save.fields, `/settings/${each}`)}
              onInput={(value) => setSettings({ ...settings, [each]: value })}
            />
          ))}
        </div>
        <SaveError record="system" error={save.error} onLoadLatest={onClose} />
        <DialogButtons requires="tenant" isBusy={save.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
