// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { AnalyseOrigin } from '../live/AnalyseOrigin.tsx';
import type { BreakFill, ChannelForm } from '../logic/channels/channelForm.ts';
import { fieldError } from '../logic/forms/fieldErrors.ts';
import type { ChannelTextField } from './channelTextField.ts';

type LiveFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly field: ChannelTextField;
  set(changed: Partial<ChannelForm>): void;
};

const breakFills: Readonly<Record<BreakFill, string>> = { slate: 'Slate', content: 'Origin content' };

/** Where a live channel comes from, and what it shows next to its ads. */
export const LiveFields = ({ form, errors, field, set }: LiveFieldsProps) => (
  <>
    <TextField
      label="Origin URL"
      type="url"
      {...field('sourceManifestUrl', '/sourceManifestUrl')}
      hint="HLS playlist or DASH manifest of the live stream. Current viewers are disconnected when it changes."
    />
    <TextField
      label="DASH origin URL"
      type="url"
      {...field('sourceDashUrl', '/sourceDashUrl')}
      hint="DASH manifest of the same stream, if the origin URL is HLS that cannot serve DASH."
    />
    <AnalyseOrigin form={form} />
    <div class="pair">
      <TextField
        label="Pre-roll (s)"
        {...field('prerollDuration', '/preroll/maxDuration')}
        hint="Longest pre-roll for viewers who join. Leave empty for none."
      />
      <TextField label="Pre-roll ads" {...field('prerollAds', '/preroll/maxAds')} hint="At most this many." />
    </div>
    <SelectField
      label="Break fill"
      value={form.breakFill}
      hint="What viewers see in a break where there are no ads."
      options={toOptions(breakFills)}
      error={fieldError(errors, '/breakFill')}
      onChange={(breakFill) => set({ breakFill })}
    />
  </>
);
