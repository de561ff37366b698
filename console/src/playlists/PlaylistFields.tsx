// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import type { PlaylistDraft } from './playlistDraft.ts';
import { playlistTypes } from './playlistTypes.ts';

type PlaylistFieldsProps = {
  readonly draft: PlaylistDraft;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  set(part: Partial<PlaylistDraft>): void;
};

/** The fields of a playlist other than its items. */
export const PlaylistFields = ({ draft, errors, isNew, set }: PlaylistFieldsProps) => (
  <section class="card form">
    <h2>Details</h2>
    <TextField label="Name" value={draft.name} error={fieldError(errors, '/name')} onInput={(name) => set({ name })} />
    {isNew ? (
      <TextField
        label="ID"
        value={draft.id}
        error={fieldError(errors, '/id')}
        hint="Cannot be changed later. Leave empty for a random ID."
        onInput={(id) => set({ id })}
      />
    ) : null}
    <SelectField
      label="Type"
      value={draft.type}
      hint="VoD channels do not play playlists of linear channels."
      options={toOptions(playlistTypes)}
      error={fieldError(errors, '/type')}
      onChange={(type) => set({ type })}
    />
    <Toggle label="Enabled" isOn={draft.isEnabled} onChange={(isEnabled) => set({ isEnabled })} />
    {draft.type === 'vod' ? null : (
      <details>
        <summary>Advanced settings</summary>
        <TextField
          label="Loop start"
          value={draft.startDate}
          error={fieldError(errors, '/startDate')}
          placeholder="2026-03-01T20:00:00Z"
          hint="ISO 8601 with a time zone. The loop plays as if it had started then."
          onInput={(startDate) => set({ startDate })}
        />
      </details>
    )}
  </section>
);
