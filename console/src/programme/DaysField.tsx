// SPDX-License-Identifier: Apache-2.0
import { capitalized } from '../format/labels.ts';
import type { Rule } from './programmeDraft.ts';

export type Weekday = NonNullable<Rule['days']>[number];
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

type DaysFieldProps = { readonly days: readonly Weekday[]; onChange(days: Weekday[]): void };

/** Any days of the week. */
export const DaysField = ({ days, onChange }: DaysFieldProps) => (
  <fieldset class="segments days">
    <legend class="visually-hidden">Days</legend>
    {weekdays.map((day) => (
      <label key={day}>
        <input
          type="checkbox"
          checked={days.includes(day)}
          onChange={({ currentTarget }) =>
            onChange(weekdays.filter((each) => (each === day ? currentTarget.checked : days.includes(each))))
          }
        />
        <span>{capitalized(day)}</span>
      </label>
    ))}
  </fieldset>
);
