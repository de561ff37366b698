// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef, useState } from 'preact/hooks';
import { HintText } from '../hints/useHint.tsx';
import { ariaSort, type DataColumn, nextSort } from './columns.ts';
import { extendTo, focusRow, nothing, type Selection, selectAll, tableKey, toggleRow } from './selection.ts';
import './table.css';

export type RowFacts = { readonly id: string; readonly name: string; readonly tone?: 'bad' | 'warn' | undefined };

type DataTableProps<Row> = {
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly sort?: string;
  /** Absent for a table whose rows cannot be selected. */
  readonly selection?: Selection;
  /** What Ctrl+A selects, if that is more than the rows. */
  readonly order?: readonly string[];
  factsOf(row: Row): RowFacts;
  onSort?(sort: string): void;
  onSelect?(selection: Selection): void;
};

/** The checkbox of a row has the focus: arrows move it, and its name says which row it selects. */
const PICK = '.pick input';

/** A table whose rows can be sorted and selected: with the pointer, Shift, Space, arrows and Ctrl+A. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, sort = '', selection, factsOf, onSort, onSelect } = props;
  const facts = rows.map((row) => ({ row, ...factsOf(row) }));
  const ids = facts.map(({ id }) => id);
  const order = props.order ?? ids;
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<string>();
  /** One row is in the order of the Tab key. */
  const current = focused !== undefined && ids.includes(focused) ? focused : ids[0];
  const latest = useRef({ selection, ids });
  latest.current = { selection, ids };
  const pick = useMemo(
    () => (id: string, isExtending: boolean) => {
      const { selection: now = nothing, ids: listed } = latest.current;
      onSelect?.(isExtending ? extendTo(now, listed, id) : toggleRow(now, id));
    },
    [onSelect],
  );
  const press = (event: KeyboardEvent) => {
    if (selection === undefined || !(event.target instanceof Element)) return;
    const at = ids.indexOf(event.target.closest('tr')?.dataset.id ?? '');
    const action = tableKey(event, at, ids.length);
    if (action === undefined || (action.kind === 'none' && selection.ids.size === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    if (action.kind === 'all') return onSelect?.(selectAll(order));
    if (action.kind === 'none') return onSelect?.(nothing);
    const id = ids[action.to];
    if (id === undefined) return;
    body.current?.querySelectorAll<HTMLElement>(PICK)[action.to]?.focus();
    onSelect?.(action.isExtending ? extendTo(selection, ids, id) : focusRow(selection, id));
  };
  return (
    <div class="data-frame">
      <table class="data-table" aria-label={label}>
        <thead>
          <tr>
            {selection ? <PickAll order={order} selection={selection} onSelect={(next) => onSelect?.(next)} /> : null}
            {columns.map(({ id, label: name, kind, hint, sort: first }) => (
              <th key={id} class={kind} scope="col" aria-sort={ariaSort(sort, first)}>
                {first === undefined || onSort === undefined ? (
                  <HintText hint={hint}>{name}</HintText>
                ) : (
                  <button type="button" title={hint} onClick={() => onSort(nextSort(sort, first))}>
                    {name}
                    <i aria-hidden="true" />
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={press}>
          {facts.map(({ row, id, name, tone }) => (
            <DataRow
              key={id}
              row={row}
              id={id}
              name={name}
              tone={tone}
              columns={columns}
              isSelected={selection?.ids.has(id) ?? false}
              isCurrent={id === current}
              pick={selection && pick}
              onFocus={setFocused}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type DataRowProps<Row> = Pick<RowFacts, 'id' | 'name' | 'tone'> & {
  readonly row: Row;
  readonly columns: readonly DataColumn<Row>[];
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly pick: ((id: string, isExtending: boolean) => void) | undefined;
  onFocus(id: string): void;
};

/** Is rendered again only if something of it has changed: a selection of one row among hundreds costs one row. */
function DataRow<Row>({ row, id, name, tone, columns, isSelected, isCurrent, pick, onFocus }: DataRowProps<Row>) {
  return useMemo(
    () => (
      <tr data-id={id} class={[tone, isSelected ? 'selected' : ''].filter(Boolean).join(' ')}>
        {pick ? (
          <td class="pick">
            {/* A larger target than the box. */}
            <label>
              <input
                type="checkbox"
                aria-label={`Select ${name}`}
                checked={isSelected}
                tabIndex={isCurrent ? 0 : -1}
                onClick={(event) => pick(id, event.shiftKey)}
                onFocus={() => onFocus(id)}
              />
            </label>
          </td>
        ) : null}
        {columns.map((column) => (
          <td key={column.id} class={[column.kind, `of-${column.id}`].filter(Boolean).join(' ')}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
    ),
    [row, id, name, tone, columns, isSelected, isCurrent, pick],
  );
}

type PickAllProps = {
  readonly order: readonly string[];
  readonly selection: Selection;
  onSelect(selection: Selection): void;
};

/** Selects all rows, or none if all are selected. */
function PickAll({ order, selection: { ids }, onSelect }: PickAllProps) {
  const isAll = order.length > 0 && order.every((id) => ids.has(id));
  return (
    <th class="pick" scope="col">
      <label>
        <input
          type="checkbox"
          aria-label="Select all"
          checked={isAll}
          indeterminate={!isAll && ids.size > 0}
          onClick={() => onSelect(isAll ? nothing : selectAll(order))}
        />
      </label>
    </th>
  );
}
