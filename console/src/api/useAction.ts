// Something that a button does: under way once at a time, with the error that it ended in.
import { useState } from 'preact/hooks';
import { ApiError, type FieldError } from './apiError.ts';

export type Action<Args extends readonly unknown[]> = {
  run(...args: Args): Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly fields: readonly FieldError[];
  clear(): void;
};

const NONE: readonly FieldError[] = [];

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
    fields: error instanceof ApiError ? error.data : NONE,
    clear: () => setError(undefined),
  };
}
