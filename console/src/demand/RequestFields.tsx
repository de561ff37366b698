// SPDX-License-Identifier: Apache-2.0
import { isRequestMacro } from '../../../src/ads/request/macroNames.ts';
import { unknownMacros } from '../../../src/vast/macroNotation.ts';
import type { FieldError } from '../api/apiError.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { errorsBelow } from '../components/forms/fieldErrors.ts';
import type { FormFields } from '../components/forms/formFields.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { limitHint } from '../format/limitHint.ts';

export const methods = { GET: 'GET', POST: 'POST' } as const;
export const TAG_EXAMPLE = 'https://ads.example.com/vast?len=[BREAK_DURATION]&cb=[CACHEBUSTING]';
const NAME_VALUE_HINT = 'One "name: value" per line.';

type OneText = ReturnType<FormFields<{ readonly text: string }>['field']>;
type OneMethod = ReturnType<typeof oneMethod>;
const oneMethod = (fields: FormFields<{ readonly method: keyof typeof methods }>) => fields.choice('method', methods);

type RequestFieldsProps = {
  readonly errors: readonly FieldError[];
  /** The JSON Pointer of what has the headers and the parameters. */
  readonly path: string;
  /** Only of requests for VAST. */
  readonly method?: OneMethod;
  readonly params?: OneText;
  readonly timeout: OneText;
  readonly headers: OneText;
};

/** How ad requests are made. */
export const RequestFields = ({ errors, path, method, timeout, params, headers }: RequestFieldsProps) => (
  <>
    <div class="pair">
      {method ? <SelectField label="Method" {...method} hint="Default: GET." /> : null}
      <TextField label="Timeout (ms)" {...timeout} hint={`A later response is not used. ${limitHint('timeoutMs')}`} />
    </div>
    <div class="pair">
      {params ? (
        <TextField
          label="Query parameters"
          rows={3}
          {...params}
          error={errorsBelow(errors, `${path}/params`)}
          hint={NAME_VALUE_HINT}
        />
      ) : null}
      <TextField
        label="Request headers"
        rows={3}
        {...headers}
        error={errorsBelow(errors, `${path}/headers`)}
        hint={NAME_VALUE_HINT}
      />
    </div>
  </>
);

/** Macros in an ad request that Midroll does not fill in, as the API reports them in `warnings`. */
export function UnknownMacros({ texts }: { readonly texts: readonly string[] }) {
  const unknown = [...new Set(texts.flatMap((text) => unknownMacros(text, isRequestMacro)))];
  if (unknown.length === 0) return null;
  return (
    <Notice tone="warn">
      {unknown.join(', ')} {unknown.length === 1 ? 'is no macro' : 'are no macros'} that Midroll fills in: the ad server
      gets {unknown.length === 1 ? 'it' : 'them'} unchanged.
    </Notice>
  );
}
