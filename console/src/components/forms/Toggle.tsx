// SPDX-License-Identifier: Apache-2.0
type ToggleProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  onChange(isOn: boolean): void;
};

/** A checkbox that looks like a switch and takes effect at once. */
export const Toggle = ({ label, isOn, isDisabled, onChange }: ToggleProps) => (
  <label class="switch">
    <input
      type="checkbox"
      checked={isOn}
      disabled={isDisabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    {label}
  </label>
);
