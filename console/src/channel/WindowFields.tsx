// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import type { ChannelForm } from '../channels/channelForm.ts';
import { limitHint } from '../channels/channelLimits.ts';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import type { ChannelTextField } from './channelTextField.ts';

type WindowFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly field: ChannelTextField;
  set(changed: Partial<ChannelForm>): void;
};

const onOff = { false: 'Off', true: 'On' } as const;

/** What manifests of a linear or live channel list, and how players update them. */
export const WindowFields = ({ form, errors, field, set }: WindowFieldsProps) => (
  <>
    <div class="pair">
      <TextField
        label="Playlist window (s)"
        {...field('playlistSize', '/playlistSize')}
        hint={`How much a manifest lists. ${limitHint('playlistSize')}`}
      />
      <TextField
        label="Time-shift window (s)"
        {...field('timeShiftWindow', '/timeShiftWindow')}
        hint={`How far before the live edge a session can start. ${limitHint('timeShiftWindow')}`}
      />
    </div>
    <SelectField
      label="Delta updates"
      value={form.deltaUpdates}
      hint="With long windows, new sessions load only what has changed in manifests. Leave off for Video.js 8, which can jump at breaks, and for dash.js and Shaka Player before 5.2, which are untested."
      options={toOptions(onOff)}
      error={fieldError(errors, '/deltaUpdates')}
      onChange={(deltaUpdates) => set({ deltaUpdates })}
    />
  </>
);
