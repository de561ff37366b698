// SPDX-License-Identifier: Apache-2.0
// Short messages about what was done, shown above every page until they time out.

export type Toast = {
  readonly text: string;
  readonly tone?: 'bad';
  /** Reverts what was done. Its error is shown in place of the message. */
  readonly undo?: () => Promise<unknown>;
  /** Shown after it was reverted. */
  readonly undone?: string;
};
export type ShownToast = Toast & { readonly key: number };

const MAX_TOASTS = 3;
let shown: readonly ShownToast[] = [];
let lastKey = 0;
const listeners = new Set<(toasts: readonly ShownToast[]) => void>();

function set(toasts: readonly ShownToast[]): void {
  shown = toasts;
  for (const listener of listeners) listener(shown);
}

export function showToast(toast: Toast): void {
  lastKey += 1;
  set([...shown, { ...toast, key: lastKey }].slice(-MAX_TOASTS));
}

export const hideToast = (key: number): void => set(shown.filter((toast) => toast.key !== key));

/** @returns removes the listener */
export function onToasts(listener: (toasts: readonly ShownToast[]) => void): () => void {
  listeners.add(listener);
  listener(shown);
  return () => void listeners.delete(listener);
}
