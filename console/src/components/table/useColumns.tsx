// SPDX-License-Identifier: Apache-2.0
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { readLocal, storeLocal } from '../../api/browserStorage.ts';
import { Menu } from '../buttons/Menu.tsx';
import { chooseColumn, type DataColumn, isShown } from './columns.ts';

/** The columns of a table that are shown, and the menu that chooses them. The browser keeps the choice. */
export function useColumns<Row>(
  table: string,
  columns: readonly DataColumn<Row>[],
): { readonly shown: readonly DataColumn<Row>[]; readonly menu: VNode } {
  const key = `midroll-columns-${table}`;
  const [choices, setChoices] = useState(() => readLocal(key) ?? '');
  const choose = (column: DataColumn<Row>, isOn: boolean) => {
    const next = chooseColumn(column, choices, isOn);
    storeLocal(key, next);
    setChoices(next);
  };
  // Rows are rendered again only if their columns change.
  const shown = useMemo(() => columns.filter((column) => isShown(column, choices)), [columns, choices]);
  return {
    shown,
    menu: (
      <Menu label="Columns">
        {columns
          .filter((column) => column.shown !== 'always')
          .map((column) => (
            <label key={column.id}>
              <input
                type="checkbox"
                checked={isShown(column, choices)}
                onChange={({ currentTarget: { checked } }) => choose(column, checked)}
              />
              {column.label}
            </label>
          ))}
      </Menu>
    ),
  };
}
