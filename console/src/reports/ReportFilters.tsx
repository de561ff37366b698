import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/consoleContract.ts';
import type { SystemAnswer } from '../../../src/http/tenantContract.ts';
import { serverNow } from '../api/clock.ts';
import { useGetAll } from '../api/useGet.ts';
import { type Dimension, dimensionWords } from '../logic/reportDimensions.ts';
import { fromLocal, intervals, lately, type Preset, presets, type Range, toLocal } from '../logic/reportRange.ts';
import { Button } from '../parts/Button.tsx';
import { Choice } from '../parts/Choice.tsx';
import { TextField } from '../parts/TextField.tsx';
import { Toggle } from '../parts/Toggle.tsx';

export type Asked = {
  readonly range: Range;
  readonly interval: string;
  readonly channel: string;
  readonly by: string;
  readonly isCompared: boolean;
};
type ReportFiltersProps = {
  readonly asked: Asked;
  readonly systems: readonly SystemAnswer[];
  readonly system: string | undefined;
  readonly dimensions: readonly Dimension[];
  onChange(asked: Asked): void;
};

/** Of when, how finely, of which channel, and whether beside the day before. */
export function ReportFilters({ asked, systems, system, dimensions, onChange }: ReportFiltersProps) {
  const [preset, setPreset] = useState<Preset | 'own'>('hour');
  const [, go] = useLocation();
  const channels = useGetAll<OnAirChannel>('/on-air');
  const { range } = asked;
  const choose = (next: Preset | 'own') => {
    setPreset(next);
    if (next === 'own') return;
    onChange({ ...asked, range: lately(next, serverNow()) });
  };
  const setEnd = (name: 'start' | 'end') => (text: string) => {
    const time = fromLocal(text);
    if (time !== undefined) onChange({ ...asked, range: { ...range, [name]: time } });
  };
  return (
    <div class="report-filters">
      {systems.length > 1 ? (
        <Choice
          label="System"
          value={system ?? ''}
          options={systems.map(({ id, name }) => ({ value: id, text: name }))}
          onChange={(id) => go(`/reports?system=${id}`)}
        />
      ) : null}
      <Choice
        label="Range"
        value={preset}
        options={[
          ...Object.entries(presets).map(([value, [text]]) => ({ value, text })),
          { value: 'own', text: 'From … to …' },
        ]}
        onChange={(next) => choose(next as Preset | 'own')}
      />
      {preset === 'own' ? (
        <>
          <TextField label="From" type="datetime-local" value={toLocal(range.start)} onInput={setEnd('start')} />
          <TextField label="To" type="datetime-local" value={toLocal(range.end)} onInput={setEnd('end')} />
        </>
      ) : null}
      <Choice
        label="Interval"
        value={asked.interval}
        options={intervals.map(([value, text]) => ({ value, text }))}
        onChange={(interval) => onChange({ ...asked, interval })}
      />
      <Choice
        label="Channel"
        value={asked.channel}
        options={[
          { value: '', text: 'All' },
          ...(channels.data ?? []).map(({ id, name }) => ({ value: id, text: name || id })),
        ]}
        onChange={(channel) => onChange({ ...asked, channel })}
      />
      {dimensions.length === 0 ? null : (
        <Choice
          label="Told apart by"
          value={dimensions.find((each) => each === asked.by) ?? ''}
          options={[
            { value: '', text: 'nothing' },
            ...dimensions.map((each) => ({ value: each, text: dimensionWords[each] })),
          ]}
          onChange={(by) => onChange({ ...asked, by })}
        />
      )}
      <Toggle
        label="Beside the day before"
        isOn={asked.isCompared}
        onChange={(isCompared) => onChange({ ...asked, isCompared })}
      />
      {preset === 'own' ? null : (
        <Button icon="refresh" onClick={() => choose(preset)}>
          Until now
        </Button>
      )}
    </div>
  );
}
