// SPDX-License-Identifier: Apache-2.0
// Several items of a playlist selected at once. Items are named by their keys, so that a selection survives moves.
import type { DragHandlers } from '../components/pointer/useDrag.ts';
import type { DraftItem } from './playlistDraft.ts';

export type Selection = ReadonlySet<number>;
type Keyed = Pick<DraftItem, 'key'>;

export function toggleItem(selected: Selection, key: number): Selection {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Adds the items from the last one that was selected up to another one. @param anchor undefined selects that one only */
export function selectTo(
  items: readonly Keyed[],
  selected: Selection,
  anchor: number | undefined,
  key: number,
): Selection {
  const to = items.findIndex((each) => each.key === key);
  const from = items.findIndex((each) => each.key === anchor);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  return new Set([...selected, ...items.slice(first, last + 1).map((each) => each.key)]);
}

/** The selected items that still exist. */
export const withoutRemoved = (items: readonly Keyed[], selected: Selection): Selection =>
  new Set(items.map(({ key }) => key).filter((key) => selected.has(key)));

/** Moves each selected item by one place; those at the end of the list stay, and so do those behind them. @param step −1 or 1 */
export function moveSelected<Item extends Keyed>(items: readonly Item[], selected: Selection, step: -1 | 1): Item[] {
  const moved = [...items];
  const order = moved.map((_, index) => (step < 0 ? index : moved.length - 1 - index));
  for (const index of order) {
    const [item, neighbour] = [moved[index], moved[index + step]];
    if (item === undefined || neighbour === undefined) continue;
    if (!selected.has(item.key) || selected.has(neighbour.key)) continue;
    moved[index] = neighbour;
    moved[index + step] = item;
  }
  return moved;
}

/** Moves the selected items, in their order, to the start or the end of the list. */
export function moveSelectedTo<Item extends Keyed>(
  items: readonly Item[],
  selected: Selection,
  end: 'start' | 'end',
): Item[] {
  const chosen = items.filter(({ key }) => selected.has(key));
  const others = items.filter(({ key }) => !selected.has(key));
  return end === 'start' ? [...chosen, ...others] : [...others, ...chosen];
}

/** Handlers that move or remove an item, with its grip or its buttons. */
export type ItemMoves = {
  move(from: number, to: number): void;
  remove(index: number): void;
  readonly drag: DragHandlers;
};
