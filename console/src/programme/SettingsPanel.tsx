// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import { Button } from '../components/buttons/Button.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { RecordPicker } from '../components/pickers/RecordPicker.tsx';
import { capitalized } from '../format/labels.ts';
import { BreakRuleFields, firstRule } from './BreakRuleFields.tsx';
import type { ChangedSettings, Rule, Settings } from './programmeDraft.ts';
import { ruleName } from './RulePanel.tsx';

type SettingsPanelProps = {
  readonly settings: Settings;
  readonly errors: readonly FieldError[];
  onChange(changed: ChangedSettings): void;
  onAddRule(): void;
  onRule(id: string): void;
};

const breakKinds = { none: 'None', markers: 'Markers', rule: 'Every n minutes' } as const;

/** `Mon, Tue 20:00` */
const ruleTimes = ({ days, at }: Rule): string => `${days?.map(capitalized).join(', ') ?? 'Daily'} ${at}`;

/** What applies to the whole schedule. */
export function SettingsPanel({ settings, errors, onChange, onAddRule, onRule }: SettingsPanelProps) {
  const { rules = [], fillerPlaylistId = '', breaks } = settings;
  const kind = breaks === undefined ? 'none' : breaks === 'markers' ? 'markers' : 'rule';
  return (
    <section class="card form" aria-label="Schedule settings">
      <h2>Schedule settings</h2>
      <RecordPicker
        label="Filler"
        kind="playlists"
        value={fillerPlaylistId}
        placeholder="Playlist of the channel"
        hint="Fills the time between programmes."
        error={fieldError(errors, '/fillerPlaylistId')}
        accept={({ type }) => type !== 'vod'}
        onChange={(id) => onChange({ fillerPlaylistId: id || undefined })}
      />
      <SelectField
        label="Default breaks"
        value={kind}
        options={toOptions(breakKinds)}
        error={fieldError(errors, '/breaks')}
        onChange={(next) => onChange({ breaks: next === 'rule' ? firstRule : next === 'none' ? undefined : next })}
      />
      {typeof breaks === 'object' ? (
        <BreakRuleFields rule={breaks} path="/breaks" errors={errors} onChange={(rule) => onChange({ breaks: rule })} />
      ) : null}
      <h3>Rules</h3>
      {rules.length === 0 ? <p class="small muted">None. A rule repeats programmes on days of the week.</p> : null}
      <ul class="stack tight">
        {rules.map((rule) => (
          <li key={rule.id} class="row between">
            <button type="button" class="link wraps" onClick={() => onRule(rule.id)}>
              {ruleName(rule)}
            </button>
            <span class="small muted">{ruleTimes(rule)}</span>
          </li>
        ))}
      </ul>
      <div>
        <Button icon="plus" isSmall onClick={onAddRule}>
          Add rule
        </Button>
      </div>
    </section>
  );
}
