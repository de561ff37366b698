// SPDX-License-Identifier: Apache-2.0
// The action of a button or a form: it runs once at a time, and its error is kept for display.
import { useState } from 'preact/hooks';
import { ApiError, type FieldError } from './apiError.ts';

export type Action<Args extends readonly unknown[]> = {
  /** @returns whether it succeeded */
  run(...args: Args): Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly fields: readonly FieldError[];
  clear(): void;
};

const NO_ERRORS: readonly FieldError[] = [];

export function useAction<Args extends readonly unknown[]>(act: (...args: Args) => Promise<unknown>): Action<Args> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    async run(...args) {
      if (isBusy) return false;
      setBusy(true);
      setError(undefined);
      try {
        await act(...args);
        return true;
      } catch (caught) {
        setError(caught);
        return false;
      } finally {
        setBusy(false);
      }
    },
    isBusy,
    error,
    fields: error instanceof ApiError ? error.data : NO_ERRORS,
    clear: () => setError(undefined),
  };
}
