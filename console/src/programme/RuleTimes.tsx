// SPDX-License-Identifier: Apache-2.0
import { ListField } from '../components/forms/ListField.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { DaysField } from './DaysField.tsx';
import type { Repetition } from './repeatEntry.ts';

type RuleTimesProps = {
  readonly times: Repetition;
  errorOf(name: string): string | undefined;
  onChange(changed: Partial<Repetition>): void;
};

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** On which days, and at which time of day. */
export function RuleTimes({ times, errorOf, onChange }: RuleTimesProps) {
  const { days, at, timeZone, until, except } = times;
  // A zone that was stored by its other name.
  const listed = zones.includes(timeZone) ? zones : [...zones, timeZone];
  return (
    <>
      <DaysField days={days} onChange={(next) => onChange({ days: next })} />
      <div class="pair">
        <TextField
          label="Time"
          value={at}
          placeholder="18:00"
          error={errorOf('at')}
          onInput={(next) => onChange({ at: next })}
        />
        <SelectField
          label="Time zone"
          value={timeZone}
          options={listed.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          error={errorOf('timeZone')}
          onChange={(next) => onChange({ timeZone: next })}
        />
        <TextField
          label="Last day"
          type="date"
          value={until}
          error={errorOf('until')}
          onInput={(next) => onChange({ until: next })}
        />
      </div>
      <ListField
        label="Exceptions"
        entry="day"
        values={except}
        placeholder="2026-12-24"
        error={errorOf('except')}
        errorAt={(row) => errorOf(`except/${row}`)}
        onChange={(next) => onChange({ except: next })}
      />
    </>
  );
}
