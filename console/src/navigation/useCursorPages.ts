// SPDX-License-Identifier: Apache-2.0
import { useRef } from 'preact/hooks';
import { useQueryState } from './useQueryState.ts';

export type CursorPages = ReturnType<typeof useCursorPages>;

/** The pages of a list that has cursors instead of offsets, as part of the address: `cursor=…&page=3`. */
export function useCursorPages() {
  const [query, change] = useQueryState({ cursor: '', page: '1' });
  const { cursor } = query;
  const page = cursor === '' ? 1 : Math.max(2, Math.trunc(Number(query.page)) || 2);
  /** The cursors of the pages that were opened here, by their page. */
  const known = useRef(new Map<number, string>());
  if (cursor === '') known.current.clear();
  else known.current.set(page, cursor);
  const open = (to: number, at: string) => change({ cursor: at, page: at === '' ? '1' : String(to) }, true);
  return {
    /** The cursor of the page; empty for the first one. */
    cursor,
    page,
    /** Opens the page before this one, or the first one if a link has opened this one. */
    newer: () => open(page - 1, known.current.get(page - 1) ?? ''),
    /** @param next the cursor of the page after this one */
    older: (next: string) => open(page + 1, next),
  };
}
