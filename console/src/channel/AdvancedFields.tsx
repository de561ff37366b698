// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import type { ChannelForm, Repeats } from '../logic/channels/channelForm.ts';
import { limitHint } from '../logic/channels/channelLimits.ts';
import { fieldError } from '../logic/forms/fieldErrors.ts';
import type { ChannelTextField } from './channelTextField.ts';
import { TrackingFields } from './TrackingFields.tsx';

type AdvancedFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  readonly systems: readonly { readonly value: string; readonly label: string }[];
  readonly field: ChannelTextField;
  set(changed: Partial<ChannelForm>): void;
};

const repeats: Readonly<Record<Repeats, string>> = { inPods: 'Allow within pods', allow: 'Allow', drop: 'Skip' };

/** Slate, bumpers, windows, tracking and keys: settings with defaults that fit most channels. */
export const AdvancedFields = ({ form, errors, isNew, systems, field, set }: AdvancedFieldsProps) => (
  <div class="form">
    <TextField
      label="Slate URL"
      type="url"
      {...field('slate', '/adSlateManifestUrl')}
      hint="Video file or manifest. Leave empty for the built-in slate."
    />
    <div class="pair">
      <TextField label="Intro bumper URL" type="url" {...field('intro', '/bumpers/intro')} />
      <TextField label="Outro bumper URL" type="url" {...field('outro', '/bumpers/outro')} />
    </div>
    <div class="pair">
      <TextField
        label="Fill threshold (s)"
        {...field('fillThreshold', '/fillThreshold')}
        hint={`Least time left in a break to add another ad. ${limitHint('fillThreshold')}`}
      />
      <TextField
        label="Playlist window (s)"
        {...field('playlistSize', '/playlistSize')}
        hint={limitHint('playlistSize')}
      />
      <TextField
        label="Time-shift window (s)"
        {...field('timeShiftWindow', '/timeShiftWindow')}
        hint={limitHint('timeShiftWindow')}
      />
    </div>
    <SelectField
      label="Repeated creatives"
      value={form.repeats}
      hint="Within one break. A pod is a sequence of ads that the ad server has ordered."
      options={toOptions(repeats)}
      error={fieldError(errors, '/repeats')}
      onChange={(value) => set({ repeats: value })}
    />
    <TrackingFields {...{ form, errors, set }} />
    <SelectField
      label="System"
      value={form.systemId}
      hint="Stores report events. A cloud system also hosts creatives."
      options={[{ value: '', label: 'This installation' }, ...systems]}
      error={fieldError(errors, '/systemId')}
      onChange={(systemId) => set({ systemId })}
    />
    <TextField
      label="Channel key"
      {...field('apiKey', '/apiKey')}
      hint={
        isNew
          ? 'Players send it as api-key. Leave empty for a random key.'
          : 'Players send it as api-key. A new key disconnects current viewers. Leave empty to keep the key.'
      }
    />
    <TextField
      label="Signing secret"
      {...field('signingSecret', '/signingSecret')}
      hint="If set, players can open sessions only with signed URLs."
    />
  </div>
);
