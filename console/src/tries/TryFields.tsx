// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import type { TryForm, TryFormat } from './tryForm.ts';

type TryFieldsProps = {
  readonly form: TryForm;
  readonly errors: readonly FieldError[];
  onChange(form: TryForm): void;
};

type TextName = 'url' | 'parameters' | 'userAgent' | 'address' | 'breakDuration' | 'maxAds';

const formats: Readonly<Record<TryFormat, string>> = { both: 'HLS and DASH', hls: 'HLS', dash: 'DASH' };

/** What a viewer would send, and the break. */
export function TryFields({ form, errors, onChange }: TryFieldsProps) {
  const field = (name: TextName) => ({
    value: form[name],
    error: fieldError(errors, `/${name}`),
    onInput: (value: string) => onChange({ ...form, [name]: value }),
  });
  return (
    <>
      <TextField label="Ad tag" rows={3} {...field('url')} hint="Empty: the saved tag. A changed tag is not saved." />
      <TextField
        label="Viewer parameters"
        rows={3}
        {...field('parameters')}
        hint='One "name: value" per line, as in the playback URL.'
      />
      <TextField label="User agent" {...field('userAgent')} />
      <TextField label="Viewer address" {...field('address')} placeholder="203.0.113.7" />
      <div class="pair">
        <TextField label="Break (s)" inputMode="decimal" {...field('breakDuration')} hint="Empty: as the channel." />
        <TextField label="Max. ads" inputMode="decimal" {...field('maxAds')} hint="Empty: no limit." />
      </div>
      <SelectField
        label="Format"
        value={form.format}
        options={toOptions(formats)}
        onChange={(format) => onChange({ ...form, format })}
      />
      <Toggle
        label="Make creatives"
        isOn={form.isPreparing}
        onChange={(isPreparing) => onChange({ ...form, isPreparing })}
      />
    </>
  );
}
