// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
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
  onClick?(): void;
};

export const Button = ({ children, icon, kind = 'plain', type = 'button', ...props }: ButtonProps) => (
  <button
    type={type}
    class={`button ${kind}${children ? '' : ' bare'}${props.isSmall ? ' small' : ''}`}
    disabled={props.isDisabled || props.isBusy}
    aria-busy={props.isBusy}
    aria-label={props.label}
    title={children ? undefined : props.label}
    aria-pressed={props.isPressed}
    onClick={props.onClick}
  >
    {icon ? <Icon name={icon} /> : null}
    {children}
  </button>
);
