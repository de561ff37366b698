// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import type { BreakSource, ChannelForm } from '../channels/channelForm.ts';
import { fieldError, rowError } from '../components/forms/fieldErrors.ts';
import { ListField } from '../components/forms/ListField.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';

type VodFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  set(changed: Partial<ChannelForm>): void;
};

const breakSources: Readonly<Record<BreakSource, string>> = {
  auto: 'Automatic',
  cuePoints: 'Cue points',
  manifest: 'Manifest markers',
  vmap: 'VMAP',
};

/** Which content a VoD channel plays, and where its breaks come from. */
export function VodFields({ form: { contentHosts, breakSource }, errors, set }: VodFieldsProps) {
  return (
    <>
      <ListField
        label="Content hosts"
        entry="host"
        values={contentHosts}
        placeholder="media.example.com"
        hint="Hosts that ?content= may name in playback URLs. Without any, only the URLs of the playlist play."
        error={fieldError(errors, '/contentHosts')}
        errorAt={(row) => rowError(errors, '/contentHosts', contentHosts, row)}
        onChange={(hosts) => set({ contentHosts: hosts })}
      />
      <SelectField
        label="Break source"
        value={breakSource}
        hint="Automatic uses cue points, else ad markers in the manifests, else a VMAP of the ad server."
        options={toOptions(breakSources)}
        error={fieldError(errors, '/breakSource')}
        onChange={(value) => set({ breakSource: value })}
      />
    </>
  );
}
