import { useId } from 'preact/hooks';

type SegmentsProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly isDisabled?: boolean;
  onChange(value: Value): void;
};

/** One of a few, side by side; a radio group to the keyboard and to screen readers. */
export function Segments<Value extends string>({ label, value, options, isDisabled, onChange }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset class="segments" disabled={isDisabled}>
      <legend class="unseen">{label}</legend>
      {options.map(([each, text]) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === value} onChange={() => onChange(each)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
