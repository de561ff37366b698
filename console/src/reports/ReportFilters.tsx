// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import type { ReportDimension } from '../../../src/http/contract/reportContract.ts';
import type { SystemResponse } from '../../../src/http/contract/tenantContract.ts';
import { serverNow } from '../api/serverClock.ts';
import { useGetAll } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { recordOptions, SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { dimensionLabels } from '../logic/reports/reportDimensions.ts';
import {
  fromLocal,
  intervals,
  type Preset,
  presetRange,
  presets,
  type ReportParameters,
  toLocal,
} from '../logic/reports/reportRange.ts';

export type Filters = ReportParameters & { readonly isCompared: boolean };
type ReportFiltersProps = {
  readonly filters: Filters;
  readonly systems: readonly SystemResponse[];
  readonly system: string | undefined;
  /** What the report can be grouped by. */
  readonly dimensions: readonly ReportDimension[];
  onChange(filters: Filters): void;
};

const presetOptions: readonly { value: Preset | 'custom'; label: string }[] = [
  ...(Object.keys(presets) as Preset[]).map((value) => ({ value, label: presets[value][0] })),
  { value: 'custom', label: 'Custom' },
];

/** The range, the interval, the channel and the grouping of a report. */
export function ReportFilters({ filters, systems, system, dimensions, onChange }: ReportFiltersProps) {
  const [preset, setPreset] = useState<Preset | 'custom'>('hour');
  const [, navigate] = useLocation();
  const channels = useGetAll<OnAirChannel>('/on-air');
  const { range } = filters;
  const set = (changed: Partial<Filters>) => onChange({ ...filters, ...changed });
  const selectPreset = (next: Preset | 'custom') => {
    setPreset(next);
    if (next !== 'custom') set({ range: presetRange(next, serverNow()) });
  };
  const setRangeEnd = (end: keyof typeof range) => (text: string) => {
    const time = fromLocal(text);
    if (time !== undefined) set({ range: { ...range, [end]: time } });
  };
  return (
    <div class="report-filters">
      {systems.length > 1 ? (
        <SelectField
          label="System"
          value={system ?? ''}
          options={recordOptions(systems)}
          onChange={(id) => navigate(`/reports?system=${id}`)}
        />
      ) : null}
      <SelectField label="Range" value={preset} options={presetOptions} onChange={selectPreset} />
      {preset === 'custom' ? (
        <>
          <TextField label="From" type="datetime-local" value={toLocal(range.start)} onInput={setRangeEnd('start')} />
          <TextField label="To" type="datetime-local" value={toLocal(range.end)} onInput={setRangeEnd('end')} />
        </>
      ) : null}
      <SelectField
        label="Interval"
        value={filters.interval}
        options={intervals.map(([value, label]) => ({ value, label }))}
        onChange={(interval) => set({ interval })}
      />
      <SelectField
        label="Channel"
        value={filters.channel}
        options={[{ value: '', label: 'All' }, ...recordOptions(channels.data ?? [])]}
        onChange={(channel) => set({ channel })}
      />
      {dimensions.length === 0 ? null : (
        <SelectField
          label="Group by"
          value={dimensions.find((each) => each === filters.groupBy) ?? ''}
          options={[
            { value: '', label: 'None' },
            ...dimensions.map((each) => ({ value: each, label: dimensionLabels[each] })),
          ]}
          onChange={(groupBy) => set({ groupBy })}
        />
      )}
      <Toggle
        label="Compare with previous day"
        isOn={filters.isCompared}
        onChange={(isCompared) => set({ isCompared })}
      />
      {preset === 'custom' ? null : (
        <Button icon="refresh" onClick={() => selectPreset(preset)}>
          Refresh
        </Button>
      )}
    </div>
  );
}
