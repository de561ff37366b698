// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useLackingRight } from '../../api/me.ts';
import type { Right } from '../../logic/access/lackingRight.ts';
import { Icon, type IconName } from '../icons/Icon.tsx';

type ButtonProps = {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Required for a button that has only an icon. */
  readonly label?: string;
  readonly isPressed?: boolean;
  readonly isSmall?: boolean;
  /** Without this right, the button is disabled and states why. */
  readonly requires?: Right;
  onClick?(): void;
};

export function Button({ children, icon, kind = 'plain', type = 'button', ...props }: ButtonProps) {
  const lacking = useLackingRight(props.requires);
  return (
    <button
      type={type}
      class={`button ${kind}${children ? '' : ' bare'}${props.isSmall ? ' small' : ''}`}
      disabled={props.isDisabled || props.isBusy || lacking !== undefined}
      aria-busy={props.isBusy}
      aria-label={props.label}
      title={lacking ?? (children ? undefined : props.label)}
      aria-pressed={props.isPressed}
      onClick={props.onClick}
    >
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  );
}
