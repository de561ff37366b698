// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef } from 'preact/hooks';
import { useAction } from '../../api/useAction.ts';
import { type Selection, selectAll } from './selection.ts';

/**
 * The selected rows of a list that the server pages, which may be on other pages.
 * @param read all rows that match the filters
 */
export function useKnownRows<Row extends { readonly id: string }>(
  rows: readonly Row[] | undefined,
  selection: Selection,
  read: () => Promise<readonly Row[]>,
  select: (selection: Selection) => void,
) {
  const known = useRef(new Map<string, Row>());
  const keep = (some: readonly Row[]) => {
    for (const row of some) known.current.set(row.id, row);
  };
  const everything = useAction(async () => {
    const all = await read();
    keep(all);
    select(selectAll(all.map(({ id }) => id)));
  });
  const selected = useMemo(() => {
    keep(rows ?? []);
    return [...selection.ids].flatMap((id) => known.current.get(id) ?? []);
  }, [rows, selection]);
  return { selected, everything };
}
