// SPDX-License-Identifier: Apache-2.0
import { useId } from 'preact/hooks';

type SegmentedControlProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  /** Labels by value. */
  readonly options: Readonly<Partial<Record<Value, string>>>;
  readonly isDisabled?: boolean;
  onChange(value: NoInfer<Value>): void;
};

/** One of a few options in a row; a radio group for the keyboard and for screen readers. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, value, options, isDisabled, onChange } = props;
  const name = useId();
  return (
    <fieldset class="segments" disabled={isDisabled}>
      <legend class="visually-hidden">{label}</legend>
      {(Object.keys(options) as Value[]).map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === value} onChange={() => onChange(each)} />
          <span>{options[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}
