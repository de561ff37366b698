// SPDX-License-Identifier: Apache-2.0

import type { Right } from '../../api/lackingRight.ts';
import { useLackingRight } from '../../api/me.ts';
import { useHint } from '../hints/useHint.tsx';

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
  const { target, tip, show } = useHint(lacking);
  const { onPointerEnter, onPointerLeave, ...ofInput } = target;
  return (
    <>
      <label class="switch" onPointerEnter={onPointerEnter} onPointerLeave={onPointerLeave}>
        <input
          type="checkbox"
          checked={isOn}
          disabled={isDisabled}
          aria-disabled={lacking === undefined ? undefined : true}
          {...ofInput}
          onClick={(event) => {
            if (lacking === undefined) return;
            event.preventDefault();
            show(event.currentTarget);
          }}
          onChange={(event) => lacking === undefined && onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      {tip}
    </>
  );
}
