// SPDX-License-Identifier: Apache-2.0
import { useLackingRight } from '../../api/me.ts';
import type { Right } from '../../logic/access/lackingRight.ts';

type ToggleProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  /** Without this right, the switch is disabled and states why. */
  readonly requires?: Right;
  onChange(isOn: boolean): void;
};

/** A checkbox that looks like a switch and takes effect at once. */
export function Toggle({ label, isOn, isDisabled, requires, onChange }: ToggleProps) {
  const lacking = useLackingRight(requires);
  return (
    <label class="switch" title={lacking}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled || lacking !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
