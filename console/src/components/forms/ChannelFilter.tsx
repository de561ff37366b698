// SPDX-License-Identifier: Apache-2.0
import type { OnAirChannel } from '../../../../src/http/contract/consoleContract.ts';
import { useRecordNames } from '../../api/recordNames.ts';
import { recordOptions, SelectField } from './SelectField.tsx';

type ChannelFilterProps = {
  /** An id; empty for all. */
  readonly value: string;
  readonly channels: readonly OnAirChannel[];
  onChange(channel: string): void;
};

/** One channel or all of them. The channel of a link may be deleted, or not be listed. */
export function ChannelFilter({ value, channels, onChange }: ChannelFilterProps) {
  const isListed = value === '' || channels.some(({ id }) => id === value);
  const nameOf = useRecordNames('channels', isListed ? [] : [value]);
  return (
    <SelectField
      label="Channel"
      value={value}
      options={[
        { value: '', label: 'All' },
        ...(isListed ? [] : [{ value, label: nameOf(value) }]),
        ...recordOptions(channels),
      ]}
      onChange={onChange}
    />
  );
}
