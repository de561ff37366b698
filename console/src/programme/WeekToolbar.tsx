// SPDX-License-Identifier: Apache-2.0
import { Button } from '../components/buttons/Button.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { formatDay } from '../format/time.ts';
import { zoneOffsetName } from '../format/timeZone.ts';
import { addDays, localDate } from '../format/zonedTime.ts';
import { type Row, spanOf } from '../schedule/scheduleView.ts';

/** Hours that are visible at once. */
export const zooms = { '1': '1 h', '4': '4 h', '12': '12 h', '24': '24 h' } as const;
export type Zoom = keyof typeof zooms;

type WeekToolbarProps = {
  readonly week: readonly Row[];
  readonly zoom: Zoom;
  readonly isThisWeek: boolean;
  /** What is not saved. */
  readonly status: string;
  onZoom(zoom: Zoom): void;
  /** @param week its first day; empty for this week */
  onWeek(week: string): void;
};

/** The week that is shown, and how much of it. */
export function WeekToolbar({ week, zoom, isThisWeek, status, onZoom, onWeek }: WeekToolbarProps) {
  const { from, to } = spanOf(week);
  const step = (days: number) => onWeek(addDays(localDate(from), days));
  return (
    <div class="row between">
      <div class="row">
        <h2 aria-live="polite">
          {formatDay(from)} – {formatDay(to - 1)}
        </h2>
        <span class="small muted">{zoneOffsetName(from)}</span>
        <span class="small" role="status">
          {status}
        </span>
      </div>
      <div class="row">
        <SegmentedControl label="Zoom" value={zoom} options={zooms} onChange={onZoom} />
        <Button icon="previous" label="Previous week" onClick={() => step(-7)} />
        <Button isDisabled={isThisWeek} onClick={() => onWeek('')}>
          Today
        </Button>
        <Button icon="chevron" label="Next week" onClick={() => step(7)} />
        <input
          type="date"
          class="week-date"
          aria-label="Date"
          value={localDate(from)}
          onChange={({ currentTarget: { value } }) => value !== '' && onWeek(value)}
        />
      </div>
    </div>
  );
}
