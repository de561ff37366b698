// SPDX-License-Identifier: Apache-2.0
import { useLocation } from 'wouter-preact';
import { clearUnsavedChanges } from '../navigation/unsavedChanges.ts';
import { deleteRecord } from './deleteRecord.ts';

/** Deletes the record of a page, and leaves it for its list. Undone, the page is opened again. */
export function useDeletion(list: '/channels' | '/playlists' | '/ad-sources', id: string, name: string) {
  const [, navigate] = useLocation();
  return async (isForced: boolean): Promise<void> => {
    const onUndone = () => navigate(`${list}/${encodeURIComponent(id)}`);
    await deleteRecord(`${list}/{id}`, id, name, { isForced, onUndone });
    clearUnsavedChanges();
    navigate(list);
  };
}
