// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from 'preact/hooks';

// Pages register unsaved changes here; navigation asks for a confirmation while there are any.

const holders = new Set<object>();

/** Drops changes to a record that was deleted, or with a key that is no longer valid. */
export const clearUnsavedChanges = (): void => holders.clear();

export const confirmLeave = (): boolean =>
  holders.size === 0 || window.confirm('You have unsaved changes. Discard them?');

/** Asks for a confirmation before unsaved changes are lost, by navigation or by closing the tab. */
export function useLeaveGuard(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault();
    holders.add(prevent);
    addEventListener('beforeunload', prevent);
    return () => {
      holders.delete(prevent);
      removeEventListener('beforeunload', prevent);
    };
  }, [isUnsaved]);
}
