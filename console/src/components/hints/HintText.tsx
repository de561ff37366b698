// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useHint } from './useHint.tsx';

type HintTextProps = {
  /** The explanation; without one, the text has no button. */
  readonly hint: string | undefined;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** For what cannot be used, with the reason as its hint. */
  readonly isDisabled?: boolean;
};

/** A text with an explanation, which a pointer, a finger and the keyboard reach. */
export function HintText({ hint, children, class: look = 'hinted', isDisabled }: HintTextProps) {
  const { target, tip, show } = useHint(hint);
  if (hint === undefined) return <>{children}</>;
  return (
    <>
      <button
        type="button"
        class={look}
        aria-disabled={isDisabled}
        {...target}
        onClick={({ currentTarget }) => show(currentTarget)}
      >
        {children}
      </button>
      {tip}
    </>
  );
}
