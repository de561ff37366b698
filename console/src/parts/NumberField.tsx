import { useState } from 'preact/hooks';
import { TextField } from './TextField.tsx';

type NumberFieldProps = {
  readonly label: string;
  /** NaN for what is no number. */
  readonly value: number | undefined;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** undefined when it was emptied */
  onInput(value: number | undefined): void;
};

/** Half of the world writes its decimals with a comma. */
const read = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text.trim().replace(/^([^,.]*),([^,.]*)$/, '$1.$2'));
const write = (value: number | undefined): string => (value === undefined || Number.isNaN(value) ? '' : String(value));

/** A field for a number. What is on the way to one, such as `12.`, stays as it was typed. */
export function NumberField({ value, onInput, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState('');
  const isTyped = Object.is(read(typed), value) || (Number.isNaN(value) && read(typed) === undefined);
  return (
    <TextField
      {...rest}
      inputMode="decimal"
      value={isTyped ? typed : write(value)}
      onInput={(text) => {
        setTyped(text);
        onInput(read(text));
      }}
    />
  );
}
