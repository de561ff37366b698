// SPDX-License-Identifier: Apache-2.0
import { useId } from 'preact/hooks';
import { toOptions } from '../forms/SelectField.tsx';

type SortChipProps = {
  /** The order that the headers of the table have chosen may not be among the named ones. */
  readonly sort: string;
  readonly names: Readonly<Record<string, string>>;
  onChange(sort: string): void;
};

/** The order of a list, for cards and phones as well. */
export function SortChip({ sort, names, onChange }: SortChipProps) {
  const id = useId();
  const options = toOptions(names);
  return (
    <div class="chip filter">
      <label for={id}>Sort by</label>
      <select id={id} value={sort} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {sort in names ? null : <option value={sort}>Column</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
