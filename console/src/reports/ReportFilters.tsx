// SPDX-License-Identifier: Apache-2.0
import type { ReportDimension, ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import type { SystemResponse } from '../../../src/platform/systems/contract/systemContract.ts';
import { Button } from '../components/buttons/Button.tsx';
import { LabelFilter } from '../components/filters/LabelFilter.tsx';
import { recordOptions, SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { RecordPicker } from '../components/pickers/RecordPicker.tsx';
import { fieldLabel } from '../format/labels.ts';
import { type Preset, presets, type Range } from '../format/presetRange.ts';
import { fromLocalText, toLocal } from '../format/zonedTime.ts';
import { comparedDays, dimensionLabels, intervals, type ReportQuery } from './reportRange.ts';

type ReportFiltersProps = {
  /** As in the address. */
  readonly query: ReportQuery;
  readonly range: Range;
  readonly systems: readonly SystemResponse[];
  readonly system: string | undefined;
  /** What the report can be grouped by. */
  readonly dimensions: readonly ReportDimension[];
  /** What its groups can be ranked by; empty if they are not ranked. */
  readonly fields: readonly ReportResponse['fields'][number][];
  onChange(changed: Partial<ReportQuery>): void;
  onRefresh(): void;
};

const presetOptions = toOptions<Preset | 'custom'>({ ...presets, custom: 'Custom' });

const iso = (time: number): string => new Date(time).toISOString();

/** The range, the interval, the channel and the grouping of a report. */
export function ReportFilters(props: ReportFiltersProps) {
  const { query, range, systems, system, dimensions, fields, onChange, onRefresh } = props;
  const days = comparedDays(range);
  const preset = presetOptions.find(({ value }) => value === query.range)?.value ?? 'hour';
  const selectPreset = (next: Preset | 'custom') => {
    const ends = next === 'custom' ? { from: iso(range.start), to: iso(range.end) } : { from: '', to: '' };
    onChange({ range: next, ...ends });
    onRefresh();
  };
  const setRangeEnd = (end: 'from' | 'to') => (text: string) => {
    const time = fromLocalText(text);
    if (time !== undefined) onChange({ [end]: iso(time) });
  };
  return (
    <div class="report-filters">
      {systems.length > 1 ? (
        <SelectField
          label="System"
          value={system ?? ''}
          options={recordOptions(systems)}
          onChange={(id) => onChange({ system: id })}
        />
      ) : null}
      <SelectField label="Range" value={preset} options={presetOptions} onChange={selectPreset} />
      {preset === 'custom' ? (
        <>
          <TextField label="From" type="datetime-local" value={toLocal(range.start)} onInput={setRangeEnd('from')} />
          <TextField label="To" type="datetime-local" value={toLocal(range.end)} onInput={setRangeEnd('to')} />
        </>
      ) : null}
      <SelectField
        label="Interval"
        value={query.interval}
        options={intervals.map(([value, label]) => ({ value, label }))}
        onChange={(interval) => onChange({ interval })}
      />
      <RecordPicker
        label="Channel"
        kind="channels"
        value={query.channel}
        placeholder="All"
        onChange={(channel) => onChange({ channel })}
      />
      {query.channel === '' ? <LabelFilter value={query.label} onChange={(label) => onChange({ label })} /> : null}
      {dimensions.length === 0 ? null : (
        <SelectField
          label="Group by"
          value={dimensions.find((each) => each === query.by) ?? ''}
          options={[
            { value: '', label: 'None' },
            ...dimensions.map((each) => ({ value: each, label: dimensionLabels[each] })),
          ]}
          onChange={(by) => onChange({ by })}
        />
      )}
      {fields.length < 2 ? null : (
        <SelectField
          label="Rank by"
          value={fields.find(({ name }) => name === query.rank)?.name ?? fields[0]?.name ?? ''}
          options={fields.map(({ name }) => ({ value: name, label: fieldLabel(name) }))}
          onChange={(rank) => onChange({ rank })}
        />
      )}
      <Toggle
        label={days === 1 ? 'Compare with previous day' : `Compare with previous ${days} days`}
        isOn={query.compare !== ''}
        onChange={(isCompared) => onChange({ compare: isCompared ? 'day' : '' })}
      />
      {preset === 'custom' ? null : (
        <Button icon="refresh" onClick={onRefresh}>
          Refresh
        </Button>
      )}
    </div>
  );
}
