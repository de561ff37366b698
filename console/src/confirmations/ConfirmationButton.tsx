// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { Right } from '../api/lackingRight.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmationDialog, type ConfirmationDialogProps } from './ConfirmationDialog.tsx';

type ConfirmationButtonProps = Omit<ConfirmationDialogProps, 'onClose'> & {
  readonly label: string;
  /** Buttons of a list are `quiet`, and small. */
  readonly kind?: 'danger' | 'quiet';
  /** Without this right, the button is disabled and states why. */
  readonly requires?: Right;
};

/** A button that opens the dialog of ConfirmationDialog.tsx. */
export function ConfirmationButton({ label, kind = 'danger', requires, ...dialog }: ConfirmationButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} isSmall={kind === 'quiet'} {...(requires ? { requires } : {})} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? <ConfirmationDialog {...dialog} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
