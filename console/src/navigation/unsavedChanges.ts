// SPDX-License-Identifier: Apache-2.0
// Pages register unsaved changes here; navigation asks for a confirmation while there are any.

const holders = new Set<object>();

/** @returns releases them */
export function holdUnsavedChanges(): () => void {
  const holder = {};
  holders.add(holder);
  return () => holders.delete(holder);
}

/** For changes to a record that was deleted, or with a key that is no longer valid. */
export const clearUnsavedChanges = (): void => holders.clear();

export const confirmLeave = (): boolean =>
  holders.size === 0 || window.confirm('You have unsaved changes. Discard them?');
