// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../../../src/invariant.ts';
import type { FieldError } from '../api/apiError.ts';
import { Button } from '../components/buttons/Button.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { weekdays } from './DaysField.tsx';
import { EntryForm } from './EntryForm.tsx';
import { newId, programmeName, type Rule } from './programmeDraft.ts';
import { RuleTimes } from './RuleTimes.tsx';

type RulePanelProps = {
  readonly rule: Rule;
  /** The JSON Pointer of the rule. */
  readonly path: string;
  readonly errors: readonly FieldError[];
  onChange(rule: Rule): void;
  onRemove(): void;
  onClose(): void;
};

const orders = { sequence: 'All, in order', alternate: 'One a day, in turn' } as const;

export const newRule = (): Rule => ({ id: newId('rule'), at: '20:00', entries: [newRuleEntry()] });
const newRuleEntry = (): Rule['entries'][number] => ({ id: newId('programme'), source: { url: '' } });

export const ruleName = ({ id, entries: [first] }: Rule): string => (first === undefined ? id : programmeName(first));

/** A rule, with the programmes that it repeats. */
export function RulePanel({ rule, path, errors, onChange, onRemove, onClose }: RulePanelProps) {
  const { days = weekdays, at, timeZone = 'UTC', until = '', except = [], entries, order = 'sequence' } = rule;
  const set = (changed: { [Name in keyof Rule]?: Rule[Name] | undefined }) =>
    onChange(withoutUndefined({ ...rule, ...changed }) as Rule);
  const errorOf = (name: string) => fieldError(errors, `${path}/${name}`);
  return (
    <section class="card form" aria-label="Rule">
      <header class="row between">
        <h2 class="wraps">Rule: {ruleName(rule)}</h2>
        <Button icon="close" kind="quiet" label="Close rule" onClick={onClose} />
      </header>
      <RuleTimes
        times={{ days, at, timeZone, until, except }}
        errorOf={errorOf}
        onChange={(changed) =>
          set({
            ...(changed.at === undefined ? {} : { at: changed.at }),
            ...(changed.timeZone === undefined ? {} : { timeZone: changed.timeZone }),
            ...(changed.until === undefined ? {} : { until: changed.until || undefined }),
            ...(changed.except && { except: changed.except.length === 0 ? undefined : [...changed.except] }),
            ...(changed.days && { days: changed.days.length === weekdays.length ? undefined : [...changed.days] }),
          })
        }
      />
      <div class="pair">
        <TextField
          label="First day"
          type="date"
          value={rule.from ?? ''}
          error={errorOf('from')}
          onInput={(from) => set({ from: from || undefined })}
        />
        <TextField
          label="Repeat until"
          value={rule.repeatUntil ?? ''}
          placeholder="06:00"
          error={errorOf('repeatUntil')}
          hint="Shows its programmes again until this time of day."
          onInput={(repeatUntil) => set({ repeatUntil: repeatUntil || undefined })}
        />
      </div>
      <SelectField
        label="Order"
        value={order}
        options={toOptions(orders)}
        error={errorOf('order')}
        onChange={(next) => set({ order: next === 'sequence' ? undefined : next })}
      />
      {entries.map((entry, index) => (
        <details key={entry.id} open={entries.length === 1}>
          <summary>
            {index + 1}. {programmeName(entry)}
          </summary>
          <div class="form">
            <EntryForm
              entry={entry}
              path={`${path}/entries/${index}`}
              errors={errors}
              onChange={(changed) =>
                set({ entries: entries.with(index, withoutUndefined({ ...entry, ...changed }) as typeof entry) })
              }
            />
            {entries.length === 1 ? null : (
              <div>
                <Button icon="trash" kind="quiet" isSmall onClick={() => set({ entries: entries.toSpliced(index, 1) })}>
                  Remove programme
                </Button>
              </div>
            )}
          </div>
        </details>
      ))}
      <footer>
        <Button icon="plus" onClick={() => set({ entries: [...entries, newRuleEntry()] })}>
          Add programme
        </Button>
        <Button icon="trash" kind="quiet" onClick={onRemove}>
          Remove rule
        </Button>
      </footer>
    </section>
  );
}
