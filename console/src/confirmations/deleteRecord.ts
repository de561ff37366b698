// SPDX-License-Identifier: Apache-2.0
import { call } from '../api/call.ts';
import { showToast } from '../components/feedback/Toasts.tsx';

/** Restores a deleted record. @param path the `x-restore` header of its deletion */
const restoreFrom = (path: string): Promise<unknown> => call('POST', path.replace(/^\/api\/v2/, ''));

/**
 * Deletes a record, and offers to undo that.
 * @param path of the record
 * @param onUndone called after it was restored
 */
export async function deleteRecord(path: string, name: string, isForced: boolean, onUndone: () => void): Promise<void> {
  const { restore } = await call('DELETE', isForced ? `${path}?force=true` : path);
  const undo = restore === null ? {} : { undo: () => restoreFrom(restore).then(onUndone), undone: `${name} restored.` };
  showToast({ text: `${name} deleted.`, ...undo });
}
