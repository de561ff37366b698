// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from 'preact/hooks';
import { holdUnsavedChanges } from './unsavedChanges.ts';

/** Asks for a confirmation before unsaved changes are lost, by navigation or by closing the tab. */
export function useLeaveGuard(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const release = holdUnsavedChanges();
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', prevent);
    return () => {
      release();
      removeEventListener('beforeunload', prevent);
    };
  }, [isUnsaved]);
}
