// SPDX-License-Identifier: Apache-2.0
// When entries start that follow each other. The console shows the same before it is stored, so this file has no imports.

type Placeable<Time> = {
  readonly start: Time | undefined;
  /** May depend on when it starts. */
  readonly length: Time | undefined | ((at: Time) => Time | undefined);
};
type Placed<Item, Time> = {
  readonly item: Item;
  readonly at: Time;
  readonly order: number;
  readonly length: Time | undefined;
};

/**
 * Places entries one after the other. One with a start interrupts those that follow each other; they continue after it and
 * what follows it.
 * @param first when the first one starts if it states no start
 */
export function placeInOrder<Time extends number, Item extends Placeable<Time>>(
  items: readonly Item[],
  first: Time,
): Placed<Item, Time>[] {
  const chains: { readonly start: number; readonly items: Item[] }[] = [];
  for (const item of items) {
    const last = chains.at(-1);
    if (last === undefined || item.start !== undefined) chains.push({ start: item.start ?? first, items: [item] });
    else last.items.push(item);
  }
  chains.sort((one, other) => one.start - other.start);
  // Entries without a start, at the head of the list, follow what begins before them.
  const headless = chains.findIndex(({ items: [head] }) => head?.start === undefined);
  if (headless > 0) chains[headless - 1]?.items.push(...(chains.splice(headless, 1)[0]?.items ?? []));
  const placed: Placed<Item, Time>[] = [];
  const open: Item[][] = [];
  let next = 0;
  let time: number = first;
  for (;;) {
    while (open.at(-1)?.length === 0) open.pop();
    const chain = chains[next];
    if (chain !== undefined && (open.length === 0 || chain.start <= time)) {
      next += 1;
      time = chain.start;
      open.push([...chain.items].reverse());
    }
    const item = open.at(-1)?.pop();
    if (item === undefined) return placed;
    const last = placed.at(-1);
    const at = time as Time;
    const length = typeof item.length === 'function' ? item.length(at) : item.length;
    placed.push({ item, at, order: last?.at === at ? last.order + 1 : 0, length });
    time += length ?? 0;
  }
}
