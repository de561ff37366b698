// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../buttons/Button.tsx';

type DialogProps = { readonly title: string; readonly children: ComponentChildren; onClose(): void };

/** A modal dialog: the browser traps the focus and closes it on Escape. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isUnmounted = useRef(false);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      isUnmounted.current = true;
      // The browser restores the focus when a dialog is closed, but not when it is only removed.
      dialog?.close();
    };
  }, []);
  return (
    <dialog ref={element} aria-labelledby={id} onClose={() => isUnmounted.current || onClose()}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button icon="close" kind="quiet" label="Close" onClick={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}

type DialogFooterProps = {
  /** The button that acts, unless closing is all that there is to do. */
  readonly children?: ComponentChildren;
  /** The label of the button that closes. Default: Cancel. */
  readonly dismiss?: string | undefined;
  onClose(): void;
};

/** The end of a dialog: the button that acts comes first, as in forms. */
export const DialogFooter = ({ children, dismiss = 'Cancel', onClose }: DialogFooterProps) => (
  <footer>
    {children}
    <Button kind={children ? 'plain' : 'primary'} onClick={onClose}>
      {dismiss}
    </Button>
  </footer>
);
