// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../api/apiError.ts';
import { useAction } from '../../api/useAction.ts';
import { createStore } from '../../stores/createStore.ts';
import { Button } from '../buttons/Button.tsx';

/** Milliseconds. A message with a button stays long enough to be read and reached with the keyboard. */
const SHOWN_FOR = { withUndo: 30_000, plain: 8000 } as const;

/** Runs `end` after `ms` milliseconds without those while `isPaused`. */
function useCountdown(ms: number, isPaused: boolean, end: () => void): void {
  const left = useRef(ms);
  useEffect(() => {
    if (isPaused) return;
    const from = Date.now();
    const timer = setTimeout(end, left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - from;
    };
  }, [isPaused]);
}

function ToastRow({ toast }: { readonly toast: ShownToast }) {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const undo = useAction(async () => {
    await toast.undo?.();
    if (toast.undone) showToast({ text: toast.undone });
    hideToast(toast.key);
  });
  const isPaused = isPointed || isFocused || undo.isBusy || undo.error !== undefined;
  useCountdown(toast.undo ? SHOWN_FOR.withUndo : SHOWN_FOR.plain, isPaused, () => hideToast(toast.key));
  const isBad = toast.tone === 'bad' || undo.error !== undefined;
  return (
    <li
      class={isBad ? 'toast bad' : 'toast'}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
    >
      <span>{undo.error === undefined ? toast.text : errorMessage(undo.error)}</span>
      {toast.undo ? (
        <Button isSmall action={undo}>
          {undo.error === undefined ? 'Undo' : 'Retry'}
        </Button>
      ) : null}
      <Button kind="quiet" isSmall icon="close" label="Dismiss" onClick={() => hideToast(toast.key)} />
    </li>
  );
}

/** The messages that are shown. The list is always there, so that screen readers announce what is added. */
export const Toasts = () => (
  <section class="toasts" aria-label="Notifications">
    <ul class="stack tight" aria-live="polite">
      {toasts.use().map((toast) => (
        <ToastRow key={toast.key} toast={toast} />
      ))}
    </ul>
  </section>
);

// Short messages about what was done, shown above every page until they time out.

type Toast = {
  readonly text: string;
  readonly tone?: 'bad';
  /** Reverts what was done. Its error is shown in place of the message. */
  readonly undo?: () => Promise<unknown>;
  /** Shown after it was reverted. */
  readonly undone?: string;
};
type ShownToast = Toast & { readonly key: number };

const MAX_TOASTS = 3;
const toasts = createStore<readonly ShownToast[]>([]);
let lastKey = 0;

export function showToast(toast: Toast): void {
  lastKey += 1;
  toasts.write([...toasts.read(), { ...toast, key: lastKey }].slice(-MAX_TOASTS));
}

const hideToast = (key: number): void => toasts.write(toasts.read().filter((toast) => toast.key !== key));
