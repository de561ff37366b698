// SPDX-License-Identifier: Apache-2.0
import type { ContentItem } from './playlist.ts';

/** Replaces placeholders by items that play `url`. */
export const fillPlaceholders = (contents: readonly ContentItem[], url: string): ContentItem[] =>
  contents.map((item) => (item.sourceType === 'placeholder' ? { ...item, sourceType: 'url', url } : item));
