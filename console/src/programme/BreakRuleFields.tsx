// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../../../src/invariant.ts';
import type { FieldError } from '../api/apiError.ts';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import type { Entry } from './programmeDraft.ts';

export type BreakRule = Extract<NonNullable<Entry['breaks']>, { every: number }>;

/** What a rule begins with: seconds. */
export const firstRule: BreakRule = { every: 600 };

type BreakRuleFieldsProps = {
  readonly rule: BreakRule;
  /** The JSON Pointer of the rule. */
  readonly path: string;
  readonly errors: readonly FieldError[];
  onChange(rule: BreakRule): void;
};

/** In minutes. */
const times = [
  ['every', 'Every (min)'],
  ['firstAfter', 'First after (min)'],
  ['notInLast', 'Not in last (min)'],
] as const;
const limits = [
  ['maxDuration', 'Duration (s)'],
  ['maxAds', 'Max ads'],
  ['maxPerHour', 'Max per hour'],
] as const;

/** Breaks at regular distances. */
export function BreakRuleFields({ rule, path, errors, onChange }: BreakRuleFieldsProps) {
  const field = (name: keyof BreakRule, label: string, unit: number) => (
    <NumberField
      key={name}
      label={label}
      value={rule[name] === undefined ? undefined : Math.round((rule[name] / unit) * 1000) / 1000}
      error={fieldError(errors, `${path}/${name}`)}
      onInput={(value) => {
        const seconds = value === undefined ? undefined : Math.round(value * unit * 1000) / 1000;
        // An empty distance is not the default: the API reports that it is missing.
        onChange(
          withoutUndefined({ ...rule, [name]: name === 'every' ? (seconds ?? Number.NaN) : seconds }) as BreakRule,
        );
      }}
    />
  );
  return (
    <div class="pair">
      {times.map(([name, label]) => field(name, label, 60))}
      {limits.map(([name, label]) => field(name, label, 1))}
    </div>
  );
}
