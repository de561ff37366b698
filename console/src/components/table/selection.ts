// SPDX-License-Identifier: Apache-2.0
// Several rows of a table selected at once, with the pointer and with keys. Rows are named by their ids, so that a selection
// survives sorting and reloading.

export type Selection = {
  readonly ids: ReadonlySet<string>;
  /** Where a range starts: the row that was selected, or had the focus, last. */
  readonly anchor: string | undefined;
  /** What was selected before the range. */
  readonly base: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();
export const nothing: Selection = { ids: NONE, anchor: undefined, base: NONE };

export function toggleRow({ ids }: Selection, id: string): Selection {
  const base = new Set(ids);
  base.delete(id);
  return { ids: ids.has(id) ? base : new Set([...base, id]), anchor: id, base };
}

/** The focus moves without a change: the next range starts at the row. */
export const focusRow = ({ ids }: Selection, id: string): Selection => ({ ids, anchor: id, base: ids });

/** Selects from the anchor to a row, instead of the previous range from there. @param order the ids as they are listed */
export function extendTo({ anchor, base }: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id);
  const from = anchor === undefined || !order.includes(anchor) ? to : order.indexOf(anchor);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...base, ...range]), anchor: order[from], base };
}

export const selectAll = (order: readonly string[]): Selection => ({ ...nothing, ids: new Set(order) });

/** What a key does in a table. */
export type TableKey =
  | { readonly kind: 'move'; readonly to: number; readonly isExtending: boolean }
  | { readonly kind: 'all' }
  | { readonly kind: 'none' };

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/** @param at the row with the focus @param count of rows @returns undefined for keys of the browser */
export function tableKey(
  { key, shiftKey, ctrlKey, metaKey }: Pressed,
  at: number,
  count: number,
): TableKey | undefined {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'a' && !shiftKey ? { kind: 'all' } : undefined;
  if (key === 'Escape') return { kind: 'none' };
  const targets: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
  const to = targets[key];
  if (to === undefined) return undefined;
  return { kind: 'move', to: Math.min(count - 1, Math.max(0, to)), isExtending: shiftKey };
}
