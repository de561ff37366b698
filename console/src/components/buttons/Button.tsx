// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import type { Right } from '../../api/lackingRight.ts';
import { useLackingRight } from '../../api/me.ts';
import type { Action } from '../../api/useAction.ts';
import { useHint } from '../hints/useHint.tsx';
import { Icon, type IconName } from '../icons/Icon.tsx';

type ButtonProps = {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Why it is disabled. With a reason, it can have the focus, which shows the reason. */
  readonly reason?: string;
  /** Required for a button that has only an icon. */
  readonly label?: string;
  readonly isPressed?: boolean;
  readonly isSmall?: boolean;
  /** Without this right, the button is disabled and states why. */
  readonly requires?: Right | undefined;
  /** Runs on a click; the button is busy meanwhile. */
  readonly action?: Action<[]>;
  onClick?(): void;
};

export function Button({ children, icon, kind = 'plain', type = 'button', ...props }: ButtonProps) {
  const { action, isBusy = action?.isBusy } = props;
  const lacking = useLackingRight(props.requires);
  const isDisabled = Boolean(props.isDisabled) || lacking !== undefined;
  const reason = isDisabled ? (lacking ?? props.reason) : undefined;
  const hint = useHint(reason);
  const click = (event: MouseEvent) => {
    if (reason === undefined) return action ? void action.run() : props.onClick?.();
    // Also when Enter in a field submits its form.
    event.preventDefault();
    hint.show(event.currentTarget as HTMLElement);
  };
  return (
    <>
      <button
        type={type}
        class={`button ${kind}${children ? '' : ' bare'}${props.isSmall ? ' small' : ''}`}
        disabled={isBusy || (isDisabled && reason === undefined)}
        aria-disabled={reason === undefined ? undefined : true}
        aria-busy={isBusy}
        aria-label={props.label}
        title={children || reason !== undefined ? undefined : props.label}
        aria-pressed={props.isPressed}
        {...hint.target}
        onClick={click}
      >
        {icon ? <Icon name={icon} /> : null}
        {children}
      </button>
      {hint.tip}
    </>
  );
}
