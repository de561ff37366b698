// SPDX-License-Identifier: Apache-2.0
import type { InputHTMLAttributes } from 'preact';
import { fromLocalText, toLocal } from '../../format/zonedTime.ts';

type TimeInputProps = Omit<InputHTMLAttributes, 'onChange'> & {
  /** ISO 8601, or empty. */
  readonly value: string;
  onChange(value: string): void;
};

/** A date and a time of day in the time zone of the console. */
export const TimeInput = ({ value, onChange, ...rest }: TimeInputProps) => (
  <input
    {...rest}
    type="datetime-local"
    value={value === '' ? '' : toLocal(Date.parse(value))}
    onInput={({ currentTarget }) => {
      const time = fromLocalText(currentTarget.value);
      if (time !== undefined || currentTarget.value === '')
        onChange(time === undefined ? '' : new Date(time).toISOString());
    }}
  />
);
