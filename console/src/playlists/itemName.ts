// SPDX-License-Identifier: Apache-2.0
import { sourceName } from '../format/sourceName.ts';
import type { DraftItem } from './playlistDraft.ts';

/** The name of an item of a playlist. A stored placeholder has no URL. */
export function itemName({ sourceType, url }: Partial<Pick<DraftItem, 'sourceType' | 'url'>>): string {
  if (sourceType === 'placeholder' || url === undefined) return 'Placeholder';
  return url.trim() === '' ? 'New item' : sourceName(url.trim());
}
