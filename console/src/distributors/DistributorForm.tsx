// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { DistributorBody } from '../../../src/platform/distributors/contract/distributorContract.ts';
import { call, type Data } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { markerNames } from '../channels/markerNames.ts';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { patchBetween } from '../components/forms/patchBetween.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { limitHint } from '../format/limitHint.ts';

export type Distributor = Data<'GET', '/channels/{id}/distributors'>[number];

type DistributorFormProps = {
  readonly channelId: string;
  /** Absent for a new one. */
  readonly distributor: Distributor | undefined;
  /** @param created the key of a new one */
  onSaved(created?: { readonly name: string; readonly key: string }): void;
  onClose(): void;
};

const states = { enabled: 'Enabled', disabled: 'Disabled' } as const;
const listing = { no: 'Programmes', yes: 'Programmes and filler' } as const;

/** The settings of a distributor. Only what was changed is sent, so that two operators do not undo each other. */
export function DistributorForm({ channelId, distributor, onSaved, onClose }: DistributorFormProps) {
  const [form, setForm] = useState(() => ({
    id: '',
    name: distributor?.name ?? '',
    state: distributor?.state ?? 'enabled',
    markersOut: distributor?.markersOut ?? 'both',
    markersOutAhead: distributor?.markersOutAhead,
    slateManifestUrl: distributor?.slateManifestUrl ?? '',
    listFiller: distributor?.guide?.listFiller ? 'yes' : 'no',
  }));
  const [opened] = useState(() => bodyOf(form));
  const save = useAction(async () => {
    const path = { id: channelId };
    const body = bodyOf(form);
    if (distributor === undefined) {
      const id = form.id.trim();
      const created = await call('POST', '/channels/{id}/distributors', {
        path,
        body: id === '' ? body : { ...body, id },
      });
      return onSaved({ name: body.name, key: created.body.key });
    }
    await call('PATCH', '/channels/{id}/distributors/{distributorId}', {
      path: { id: channelId, distributorId: distributor.id },
      body: patchBetween(opened, body),
    });
    onSaved();
  });
  const change = (changed: Partial<typeof form>) => setForm({ ...form, ...changed });
  const { field, choice } = formFields(form, save.fields, change);
  return (
    <FormDialog
      title={distributor === undefined ? 'Add distributor' : `Edit ${distributor.name}`}
      label={distributor === undefined ? 'Add' : 'Save'}
      action={save}
      requires="manage"
      onClose={onClose}
    >
      <TextField label="Name" {...field('name')} placeholder="Samsung TV Plus" />
      {distributor === undefined ? <TextField label="ID" {...field('id')} hint="Empty: chosen by Midroll." /> : null}
      {distributor === undefined ? null : <SelectField label="State" {...choice('state', states)} />}
      <SelectField
        label="Break markers"
        {...choice('markersOut', markerNames)}
        hint="What this distributor reads. MPDs have events with any of these but none."
      />
      <NumberField
        label="Announce ahead (s)"
        value={form.markersOutAhead}
        error={fieldError(save.fields, '/markersOutAhead')}
        hint={`Empty: as the channel. ${limitHint('markersOutAhead')}`}
        onInput={(markersOutAhead) => change({ markersOutAhead })}
      />
      <TextField
        label="Slate URL"
        type="url"
        {...field('slateManifestUrl')}
        hint="What its breaks show. Empty: the slate of the channel."
      />
      <SelectField label="Guide" {...choice('listFiller', listing)} />
    </FormDialog>
  );
}

type Form = {
  readonly name: string;
  readonly state: keyof typeof states;
  readonly markersOut: keyof typeof markerNames;
  readonly markersOutAhead: number | undefined;
  readonly slateManifestUrl: string;
  readonly listFiller: string;
};

const bodyOf = ({ name, state, markersOut, markersOutAhead, slateManifestUrl, listFiller }: Form): DistributorBody => ({
  name: name.trim(),
  state,
  markersOut,
  guide: { listFiller: listFiller === 'yes' },
  ...(markersOutAhead === undefined ? {} : { markersOutAhead }),
  ...(slateManifestUrl.trim() === '' ? {} : { slateManifestUrl: slateManifestUrl.trim() }),
});
