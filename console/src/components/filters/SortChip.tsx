// SPDX-License-Identifier: Apache-2.0
import { toOptions } from '../forms/SelectField.tsx';
import { FilterChip } from './FilterBar.tsx';

type SortChipProps = {
  /** The order that the headers of the table have chosen may not be among the named ones. */
  readonly sort: string;
  readonly names: Readonly<Record<string, string>>;
  onChange(sort: string): void;
};

/** The order of a list, for cards and phones as well. */
export function SortChip({ sort, names, onChange }: SortChipProps) {
  const options = [...(sort in names ? [] : [{ value: sort, label: 'Column' }]), ...toOptions(names)];
  const filter = { kind: 'choice', name: 'sort', label: 'Sort by', none: sort, options } as const;
  return <FilterChip filter={filter} value={sort} onChange={onChange} />;
}
