import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './Button.tsx';

type DialogProps = { readonly title: string; readonly children: ComponentChildren; onClose(): void };

/** A question that must be answered first: the browser's own dialog keeps the focus and closes on Escape. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isGone = useRef(false);
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => {
      isGone.current = true;
      // The browser gives the focus back when a dialog is closed, and not when it is only taken away.
      dialog.close();
    };
  }, []);
  return (
    <dialog ref={element} aria-labelledby={id} onClose={() => isGone.current || onClose()}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button icon="close" kind="quiet" label="Close" onClick={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}
