import { Field } from './Field.tsx';

type Option = { readonly value: string; readonly text: string };
type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly hint?: string;
  readonly error?: string | undefined;
  onChange(value: string): void;
};

/** One of several. */
export const Choice = ({ label, value, options, hint, error, onChange }: ChoiceProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
