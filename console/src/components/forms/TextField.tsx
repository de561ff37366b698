// SPDX-License-Identifier: Apache-2.0
import { Field } from './Field.tsx';

type TextFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly type?: 'text' | 'url' | 'number' | 'password' | 'email' | 'search' | 'datetime-local' | 'date';
  readonly rows?: number;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
  readonly inputMode?: 'decimal';
  /** Seconds, of a time. */
  readonly step?: number;
  readonly autoComplete?: string;
  onInput(value: string): void;
};

/** A field for text; with `rows`, a text area. */
export const TextField = ({ label, hint, error, rows, onInput, isRequired, isReadOnly, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => {
      const shared = { ...control, required: isRequired, readOnly: isReadOnly, spellcheck: false };
      if (rows !== undefined) {
        const { value, placeholder } = rest;
        return (
          <textarea
            {...shared}
            rows={rows}
            value={value}
            placeholder={placeholder}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        );
      }
      return <input autoComplete="off" {...rest} {...shared} onInput={(event) => onInput(event.currentTarget.value)} />;
    }}
  </Field>
);
