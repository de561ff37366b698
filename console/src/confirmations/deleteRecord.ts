// SPDX-License-Identifier: Apache-2.0
import { call, callReturned } from '../api/call.ts';
import { showToast } from '../components/feedback/Toasts.tsx';

type Restorable = '/channels/{id}' | '/playlists/{id}' | '/systems/{id}' | '/ad-sources/{id}';
type Options = {
  readonly isForced: boolean;
  /** Called after it was restored. */
  onUndone(): void;
};

/** Deletes a record, and offers to undo that. @param name as it is shown */
export async function deleteRecord(route: Restorable, id: string, name: string, options: Options): Promise<void> {
  const { isForced, onUndone } = options;
  const { restore } = await call('DELETE', route, { path: { id }, query: isForced ? { force: 'true' } : {} });
  const undo =
    restore === null ? {} : { undo: () => callReturned('POST', restore).then(onUndone), undone: `${name} restored.` };
  showToast({ text: `${name} deleted.`, ...undo });
}
