// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Button } from '../components/buttons/Button.tsx';
import type { Right } from '../logic/access/lackingRight.ts';
import { HarmDialog, type HarmDialogProps } from './HarmDialog.tsx';

type HarmButtonProps = Omit<HarmDialogProps, 'onClose'> & {
  readonly label: string;
  /** Buttons of a list are `quiet`, and small. */
  readonly kind?: 'danger' | 'quiet';
  /** Without this right, the button is disabled and states why. */
  readonly requires?: Right;
};

/** A button that opens the dialog of HarmDialog.tsx. */
export function HarmButton({ label, kind = 'danger', requires, ...dialog }: HarmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} isSmall={kind === 'quiet'} {...(requires ? { requires } : {})} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? <HarmDialog {...dialog} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
