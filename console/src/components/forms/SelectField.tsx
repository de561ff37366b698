// SPDX-License-Identifier: Apache-2.0
import { Field } from './Field.tsx';

type Option<Value extends string> = { readonly value: Value; readonly label: string };
type SelectFieldProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly hint?: string;
  readonly error?: string | undefined;
  onChange(value: Value): void;
};

/** The options of a select. */
export const Options = ({ options }: { readonly options: readonly Option<string>[] }) => (
  <>
    {options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </>
);

/** One of several options. */
export const SelectField = <Value extends string>(props: SelectFieldProps<Value>) => {
  const { label, value, options, hint, error, onChange } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
          <Options options={options} />
        </select>
      )}
    </Field>
  );
};

/** Options from labels by value. */
export const toOptions = <Value extends string>(labels: Readonly<Record<Value, string>>): Option<Value>[] =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));

/** Options for records: their names, or their ids without a name. */
export const recordOptions = (
  records: readonly { readonly id: string; readonly name?: string }[],
): { value: string; label: string }[] => records.map(({ id, name }) => ({ value: id, label: name || id }));
