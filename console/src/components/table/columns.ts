// SPDX-License-Identifier: Apache-2.0
// Which columns of a table are shown, and by which it is sorted.
import type { ComponentChildren } from 'preact';

export type DataColumn<Row> = {
  readonly id: string;
  readonly label: string;
  /** `wide`: not on phones. `extra`: only on screens with space for all columns. */
  readonly kind?: 'wide' | 'extra';
  /** What the column means. */
  readonly hint?: string;
  /** The order of the first click: a field, with `-` for the opposite order. Absent if it cannot be sorted. */
  readonly sort?: string;
  /** `always` cannot be hidden; `chosen` is shown only if it was chosen. Absent: shown unless it was hidden. */
  readonly shown?: 'always' | 'chosen';
  cell(row: Row): ComponentChildren;
};

type Choosable = Pick<DataColumn<never>, 'id' | 'shown'>;

/** Choices that differ from the defaults, as stored: `+labels -viewers`. Columns that a later version adds have their default. */
export const isShown = ({ id, shown }: Choosable, choices: string): boolean => {
  const words = choices.split(' ');
  return shown === 'always' || (shown === 'chosen' ? words.includes(`+${id}`) : !words.includes(`-${id}`));
};

/** @returns the choices with one column shown or hidden */
export function chooseColumn(column: Choosable, choices: string, isOn: boolean): string {
  const others = choices.split(' ').filter((word) => word !== '' && word.slice(1) !== column.id);
  const isDefault = isOn !== (column.shown === 'chosen');
  return [...others, ...(isDefault ? [] : [`${isOn ? '+' : '-'}${column.id}`])].join(' ');
}

const opposite = (sort: string): string => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`);
const fieldOf = (sort: string): string => sort.replace(/^-/, '');

/** The order after a click on the header of a column. @param first the order of the first click */
export const nextSort = (current: string, first: string): string => (current === first ? opposite(first) : first);

export function ariaSort(current: string, first: string | undefined): 'ascending' | 'descending' | undefined {
  if (first === undefined || current === '' || fieldOf(current) !== fieldOf(first)) return undefined;
  return current.startsWith('-') ? 'descending' : 'ascending';
}

type Sortable = string | number | undefined;

/** Rows without a value are last in both orders. @param fieldValue reads a field of a row */
export function sortRows<Row>(
  rows: readonly Row[],
  sort: string,
  fieldValue: (row: Row, field: string) => Sortable,
): readonly Row[] {
  if (sort === '') return rows;
  const field = fieldOf(sort);
  const sign = sort.startsWith('-') ? -1 : 1;
  const compare = (a: Sortable, b: Sortable): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
  };
  return rows
    .map((row) => ({ row, value: fieldValue(row, field) }))
    .sort((a, b) => compare(a.value, b.value))
    .map(({ row }) => row);
}
