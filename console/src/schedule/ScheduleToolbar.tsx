// SPDX-License-Identifier: Apache-2.0
import { Button } from '../components/buttons/Button.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { formatDay, formatHourMinute } from '../format/time.ts';
import { zoneOffsetName } from '../format/timeZone.ts';
import { fromLocalText, localText } from '../format/zonedTime.ts';
import type { ScheduleView } from './scheduleView.ts';

type ScheduleToolbarProps = {
  readonly view: ScheduleView;
  /** Milliseconds, an instant in the range. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly isNow: boolean;
  readonly isBusy: boolean;
  onView(view: ScheduleView): void;
  /** Empty for now. */
  onDate(date: string): void;
  onStep(by: number): void;
};

const views: readonly (readonly [ScheduleView, string])[] = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
];

function titleOf(view: ScheduleView, from: number, to: number): string {
  if (view === 'day') return formatDay(from);
  if (view === 'week') return `${formatDay(from)} – ${formatDay(to - 1)}`;
  return `${formatDay(from)}, ${formatHourMinute(from)}–${formatHourMinute(to)}`;
}

/** The zoom of the schedule, and the time that it shows. */
export function ScheduleToolbar({ view, at, from, to, isNow, isBusy, onView, onDate, onStep }: ScheduleToolbarProps) {
  const isHour = view === 'hour';
  const value = localText(isHour ? from : at).slice(0, isHour ? 16 : 10);
  return (
    <header>
      <div class="row">
        <h2 aria-live="polite">{titleOf(view, from, to)}</h2>
        <span class="small muted">
          {zoneOffsetName(from)}
          {isBusy ? ' · Loading…' : ''}
        </span>
      </div>
      <div class="row">
        <SegmentedControl label="Zoom" value={view} options={views} onChange={onView} />
        <Button icon="previous" label={`Previous ${view}`} onClick={() => onStep(-1)} />
        <Button isDisabled={isNow} onClick={() => onDate('')}>
          Now
        </Button>
        <Button icon="chevron" label={`Next ${view}`} onClick={() => onStep(1)} />
        <input
          type={isHour ? 'datetime-local' : 'date'}
          aria-label="Date"
          value={value}
          onChange={({ currentTarget }) =>
            fromLocalText(currentTarget.value) === undefined ? undefined : onDate(currentTarget.value)
          }
        />
      </div>
    </header>
  );
}
