// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import type { AdMethod, ChannelForm } from '../channels/channelForm.ts';
import { limitHint } from '../channels/channelLimits.ts';
import { fieldError, otherErrors } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import type { ChannelTextField } from './channelTextField.ts';

type AdSourceFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly field: ChannelTextField;
  setMethod(method: AdMethod): void;
};

const methods: Readonly<Record<AdMethod, string>> = { GET: 'GET', POST: 'POST' };
const NAME_VALUE_HINT = 'One "name: value" per line.';

/** Errors of single names or values below a path. */
const errorsBelow = (errors: readonly FieldError[], path: string): string | undefined => {
  const inner = otherErrors(errors, [new RegExp(`^(?!${path})`)]);
  return inner.length === 0 ? undefined : inner.join('; ');
};

/** The ad server of a channel and the options of its requests. */
export const AdSourceFields = ({ form, errors, field, setMethod }: AdSourceFieldsProps) => (
  <>
    <TextField
      label="Ad server URL"
      type="url"
      {...field('adUrl', '/adSource/url')}
      error={fieldError(errors, '/adSource/url') ?? fieldError(errors, '/adSource')}
      placeholder="https://ads.example.com/vast?len=[BREAK_DURATION]&cb=[CACHEBUSTING]"
      hint={`Returns VAST${form.type === 'vod' ? ' or VMAP' : ''}. Macros in brackets are filled in for each viewer and break. Leave empty ${form.type === 'vod' ? 'to play without ads' : 'to show slate'}.`}
    />
    <details>
      <summary>Request options</summary>
      <div class="form">
        <div class="pair">
          <SelectField
            label="Method"
            value={form.adMethod}
            hint="Default: GET."
            options={toOptions(methods)}
            error={fieldError(errors, '/adSource/method')}
            onChange={setMethod}
          />
          <TextField
            label="Timeout (ms)"
            {...field('adTimeout', '/adSource/timeoutMs')}
            hint={`A later response is not used. ${limitHint('timeoutMs')}`}
          />
        </div>
        <div class="pair">
          <TextField
            label="Query parameters"
            rows={3}
            {...field('adParams', '/adSource/params')}
            error={errorsBelow(errors, '/adSource/params')}
            hint={NAME_VALUE_HINT}
          />
          <TextField
            label="Request headers"
            rows={3}
            {...field('adHeaders', '/adSource/headers')}
            error={errorsBelow(errors, '/adSource/headers')}
            hint={NAME_VALUE_HINT}
          />
        </div>
      </div>
    </details>
  </>
);
