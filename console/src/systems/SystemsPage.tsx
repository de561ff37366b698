// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { SystemBody, SystemResponse } from '../../../src/platform/systems/contract/systemContract.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import './systems.css';
import { Link } from 'wouter-preact';
import { type SystemType, settingNames } from '../../../src/platform/systems/contract/systemValues.ts';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { patchBetween } from '../components/forms/patchBetween.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Fact } from '../components/layout/Facts.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { deleteRecord } from '../confirmations/deleteRecord.ts';
import { fieldLabel } from '../format/labels.ts';
import { formatDateTime } from '../format/time.ts';

/** This installation, and the search backends and clouds that it uses. */
export function SystemsPage() {
  const systems = useGet('/systems', {}, POLL.slow);
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

const systemStatuses: Statuses<NonNullable<SystemResponse['state']>> = {
  working: ['good', 'Working'],
  failing: ['bad', 'Failing'],
  unused: ['calm', 'Unused'],
};

type SystemCardProps = {
  readonly system: SystemResponse;
  /** The last one of type ssai, through which reports are read. */
  readonly isLast: boolean;
  onEdit(): void;
  /** Called after it was deleted or restored. */
  onRemoved(): void;
};

/** A system. Its settings contain credentials, so they are hidden at first. */
function SystemCard({ system, isLast, onEdit, onRemoved }: SystemCardProps) {
  const { id, name, type, settings = {}, state, stateReason, modifiedAt, createdAt, modifiedBy, createdBy } = system;
  const [isRevealed, setRevealed] = useState(false);
  const names = Object.keys(settings);
  const remove = async () => {
    await deleteRecord('/systems/{id}', id, name, { isForced: isLast, onUndone: onRemoved });
    onRemoved();
  };
  return (
    <li class="card stack">
      <header class="row between">
        <div>
          <h2>
            {name} {state === undefined ? null : <StatusBadge status={systemStatuses[state]} />}
          </h2>
          <span class="small muted">{systemTypeLabels[type]}</span>
        </div>
        <Link class="small" href={`/reports?system=${id}`}>
          Reports
        </Link>
      </header>
      {stateReason === undefined ? null : (
        <p class={state === 'failing' ? 'small reason' : 'small muted'}>{stateReason}</p>
      )}
      <dl class="facts">
        <Fact name="ID">
          <code>{id}</code>
        </Fact>
        {names.length === 0 ? (
          <Fact name="Settings" class="muted">
            {type === 'ssai' ? 'None (built-in store)' : 'None'}
          </Fact>
        ) : null}
        {names.map((each) => (
          <Fact key={each} name={fieldLabel(each)}>
            {isRevealed ? <code>{settings[each]}</code> : <span class="muted">Hidden</span>}
          </Fact>
        ))}
        <Fact name="Modified">
          {formatDateTime(modifiedAt ?? createdAt)}, {modifiedBy ?? createdBy}
        </Fact>
      </dl>
      <div class="row">
        {names.length > 0 ? (
          <Button icon="eye" isPressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
            {isRevealed ? 'Hide settings' : 'Show settings'}
          </Button>
        ) : null}
        <Button requires="tenant" onClick={onEdit}>
          Edit
        </Button>
        <ConfirmationButton
          label="Delete"
          requires="tenant"
          title={`Delete ${name}?`}
          target={{ kind: 'system', id }}
          name={name}
          consequence={`${isLast ? 'This is the last system of its type: without one, reports cannot be read. ' : ''}Channels that use it store their report events in this installation. You can restore it for 24 hours.`}
          verb="Delete system"
          isHarmless
          act={remove}
        />
      </div>
    </li>
  );
}

type Settings = NonNullable<SystemBody['settings']>;
/** Omits empty settings, and those of another type: the API would report errors for fields that are not shown. */
function settingsFor(settings: Settings, type: SystemType): Settings {
  const names: readonly string[] = settingNames[type];
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== '' && names.includes(name)));
}

type SystemDialogProps = { readonly system: SystemResponse | undefined; onClose(): void };

/** Saves the edits of a system unless someone else has changed it since it was listed. */
async function update({ id, name, type, settings = {}, __v: version }: SystemResponse, edited: SystemBody) {
  const path = { id };
  // Lists have no ETags. This reads the ETag of the version that was edited.
  const latest = await call('GET', '/systems/{id}', { path });
  if (latest.body.__v !== version) throw new ApiError(412, 'Someone else changed this system.');
  const body = patchBetween({ name, type, settings }, edited);
  await call('PATCH', '/systems/{id}', { path, body, ifMatch: latest.etag });
}

/** Creates or edits a system. @param system undefined for a new one */
function SystemDialog({ system, onClose }: SystemDialogProps) {
  const [form, setForm] = useState({ name: system?.name ?? '', type: system?.type ?? ('ssai' as SystemType) });
  const { name, type } = form;
  const [settings, setSettings] = useState<Settings>(system?.settings ?? {});
  const save = useAction(async () => {
    const body: SystemBody = { name, type, settings: settingsFor(settings, type) };
    if (system === undefined) await call('POST', '/systems', { body });
    else await update(system, body);
    onClose();
  });
  const { field, choice } = formFields(form, save.fields, (changed) => setForm({ ...form, ...changed }));
  return (
    <FormDialog
      title={system === undefined ? 'Add system' : 'Edit system'}
      action={save}
      record="system"
      requires="tenant"
      onClose={onClose}
    >
      <div class="pair">
        <TextField label="Name" {...field('name')} />
        <SelectField label="Type" {...choice('type', systemTypeLabels)} />
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
    </FormDialog>
  );
}

const isSecret = (name: string): boolean => /password|secret|key/i.test(name);

const systemTypeLabels: Readonly<Record<SystemType, string>> = {
  ssai: 'Ad insertion (ssai)',
  'cloud-media-services': 'Cloud media services',
};
