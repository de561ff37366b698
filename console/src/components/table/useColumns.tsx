// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { readLocal, storeLocal } from '../../api/browserStorage.ts';
import { chooseColumn, type DataColumn, isShown } from './columns.ts';

/** The columns of a table that are shown, and the menu that chooses them. The browser keeps the choice. */
export function useColumns<Row>(table: string, columns: readonly DataColumn<Row>[]) {
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

type MenuProps = { readonly label: string; readonly children: ComponentChildren };

/** A button that opens a box with choices. It closes on Escape, and when the focus leaves it. */
function Menu({ label, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => element.current?.removeAttribute('open');
  return (
    <details
      ref={element}
      class="menu"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !element.current?.open) return;
        event.stopPropagation();
        close();
        element.current.querySelector('summary')?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !element.current?.contains(relatedTarget)) close();
      }}
    >
      <summary class="button">{label}</summary>
      {/* Focusable, so that a click on its ground does not close it. */}
      {isOpen ? <div tabIndex={-1}>{children}</div> : null}
    </details>
  );
}
