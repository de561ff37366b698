// SPDX-License-Identifier: Apache-2.0
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import type { SystemResponse } from '../../../src/platform/access/contract/tenantContract.ts';
import type { FieldError } from '../api/apiError.ts';
import { useMe } from '../api/me.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { useGet, useGetAll } from '../api/useGet.ts';
import type { ChannelForm, ChannelType } from '../channels/channelForm.ts';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { recordOptions, SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { AdSourceFields } from './AdSourceFields.tsx';
import { AdvancedFields } from './AdvancedFields.tsx';
import type { ChannelTextField } from './channelTextField.ts';
import { LiveFields } from './LiveFields.tsx';
import { VodFields } from './VodFields.tsx';

type ChannelFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  onChange(form: ChannelForm): void;
};

const types: Readonly<Record<ChannelType, string>> = {
  vod2live: 'Linear channel',
  vod: 'VoD channel',
  live: 'Live channel',
};

const typeHints: Readonly<Record<ChannelType, string>> = {
  vod2live: 'Plays the playlist in a loop. All viewers see the same content at the same time.',
  vod: 'Each session plays the playlist once, from start to end.',
  live: 'The stream of a live origin. Ads replace its breaks.',
};

/** The API rejects playlists of linear channels in VoD channels. */
const playlistOptions = (
  all: readonly PlaylistResponse[],
  { playlistId: selected, type }: ChannelForm,
  nameOf: (id: string) => string,
) => {
  const playlists = all.filter((each) => type !== 'vod' || each.type !== 'vod2live' || each.id === selected);
  const isListed = selected === '' || playlists.some(({ id }) => id === selected);
  return [
    { value: '', label: type === 'vod' ? 'None (content parameter)' : 'None (slate only)' },
    ...(isListed ? [] : [{ value: selected, label: nameOf(selected) }]),
    ...playlists.map(({ id, name, status }) => ({
      value: id,
      label: (name || id) + (status === 'enabled' ? '' : ' (disabled)'),
    })),
  ];
};

/** The settings of a channel. Errors that the API reports are shown at their fields. */
export function ChannelFields({ form, errors, isNew, onChange }: ChannelFieldsProps) {
  const playlists = useGetAll<PlaylistResponse>('/playlists');
  const systems = useGet<SystemResponse[]>(useMe()?.channels === undefined ? '/systems' : null);
  const nameOf = useRecordNames('playlists', form.playlistId === '' ? [] : [form.playlistId]);
  const set = (changed: Partial<ChannelForm>) => onChange({ ...form, ...changed });
  const field: ChannelTextField = (name, path) => ({
    value: form[name],
    error: fieldError(errors, path),
    onInput: (value) => set({ [name]: value }),
  });
  return (
    <>
      <div class="groups">
        <section class="form group">
          <h3>General</h3>
          <div class="pair">
            <TextField
              label="Name"
              {...field('name', '/name')}
              hint="Shown in the console. Leave empty to show the ID."
            />
            {isNew ? (
              <TextField
                label="ID"
                {...field('id', '/id')}
                hint="Part of the playback URLs. Cannot be changed later. Leave empty for a random ID."
              />
            ) : (
              <TextField label="ID" {...field('id', '/id')} isReadOnly />
            )}
          </div>
          <SelectField
            label="Type"
            value={form.type}
            hint={typeHints[form.type]}
            options={toOptions(types)}
            error={fieldError(errors, '/type')}
            onChange={(type) => set({ type })}
          />
          {form.type === 'live' ? (
            <LiveFields {...{ form, errors, isNew, field, set }} />
          ) : (
            <SelectField
              label="Playlist"
              value={form.playlistId}
              hint={
                form.type === 'vod'
                  ? 'What sessions play, unless ?content= names something else.'
                  : 'What plays in a loop. Without one, viewers see slate.'
              }
              options={playlistOptions(playlists.data ?? [], form, nameOf)}
              error={fieldError(errors, '/playlistId')}
              onChange={(playlistId) => set({ playlistId })}
            />
          )}
          {form.type === 'vod' ? <VodFields {...{ form, errors, set }} /> : null}
        </section>
        <section class="form group">
          <h3>Ad server</h3>
          <AdSourceFields {...{ form, errors, field }} setMethod={(adMethod) => set({ adMethod })} />
        </section>
      </div>
      <details>
        <summary>Advanced settings</summary>
        <AdvancedFields {...{ form, errors, field, set, isNew }} systems={recordOptions(systems.data ?? [])} />
      </details>
    </>
  );
}
