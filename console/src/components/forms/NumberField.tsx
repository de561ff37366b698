// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { TextField } from './TextField.tsx';

type NumberFieldProps = {
  readonly label: string;
  /** NaN for an invalid number. */
  readonly value: number | undefined;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** undefined for an empty field */
  onInput(value: number | undefined): void;
};

/** Accepts a comma as the decimal separator. */
const parse = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text.trim().replace(/^([^,.]*),([^,.]*)$/, '$1.$2'));
const format = (value: number | undefined): string => (value === undefined || Number.isNaN(value) ? '' : String(value));

/** A field for a number. It keeps the text as typed, such as an unfinished `12.`, while the text means the value. */
export function NumberField({ value, onInput, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState('');
  const isCurrent = Object.is(parse(typed), value) || (Number.isNaN(value) && parse(typed) === undefined);
  return (
    <TextField
      {...rest}
      inputMode="decimal"
      value={isCurrent ? typed : format(value)}
      onInput={(text) => {
        setTyped(text);
        onInput(parse(text));
      }}
    />
  );
}
