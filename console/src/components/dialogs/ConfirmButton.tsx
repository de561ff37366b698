// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { Right } from '../../api/lackingRight.ts';
import { useAction } from '../../api/useAction.ts';
import { Button } from '../buttons/Button.tsx';
import { ErrorNotice } from '../feedback/Notice.tsx';
import { Dialog, DialogFooter } from './Dialog.tsx';

type ConfirmButtonProps<Result> = {
  readonly label: string;
  /** The title of the dialog, as a question. */
  readonly title: string;
  /** Buttons of a list are `plain` or `quiet`, and small. */
  readonly kind?: 'danger' | 'plain' | 'quiet';
  /** The consequences, in a sentence or two. */
  readonly message: string;
  /** The button that closes the dialog. Default: Cancel. */
  readonly dismiss?: string | undefined;
  /** Without this right, the button is disabled and states why. */
  readonly requires?: Right;
  act(): Promise<Result>;
  /** Called after the action has succeeded and the dialog is closed. */
  onDone?(result: Result): void;
};

/** A button for an action that cannot be undone: it opens a dialog that asks for confirmation. */
export function ConfirmButton<Result>(props: ConfirmButtonProps<Result>) {
  const { label, title, message, kind = 'danger', dismiss, requires, act, onDone } = props;
  const [isOpen, setOpen] = useState(false);
  const action = useAction(async () => {
    const result = await act();
    setOpen(false);
    onDone?.(result);
  });
  return (
    <>
      <Button kind={kind} isSmall={kind !== 'danger'} requires={requires} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <p>{message}</p>
          <ErrorNotice error={action.error} />
          <DialogFooter dismiss={dismiss} onClose={() => setOpen(false)}>
            <Button kind={kind === 'plain' ? 'primary' : 'danger'} action={action}>
              {label}
            </Button>
          </DialogFooter>
        </Dialog>
      ) : null}
    </>
  );
}
