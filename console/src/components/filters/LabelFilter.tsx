// SPDX-License-Identifier: Apache-2.0
import { useGet } from '../../api/useGet.ts';
import { FilterBar } from './FilterBar.tsx';

type LabelFilterProps = {
  /** Labels of channels, separated by commas; empty for all channels. */
  readonly value: string;
  onChange(value: string): void;
};

/** Selects channels by their labels. Nothing while there are none. */
export function LabelFilter({ value, onChange }: LabelFilterProps) {
  const labels = useGet('/labels');
  if (value === '' && (labels.data?.channels.length ?? 0) === 0) return null;
  return (
    <FilterBar
      filters={[{ kind: 'labels', name: 'label', label: 'Label', of: 'channels' }]}
      values={{ label: value }}
      onChange={(_, next) => onChange(next)}
      onClear={() => onChange('')}
    />
  );
}
