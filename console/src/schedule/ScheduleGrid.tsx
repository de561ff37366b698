// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { POLL } from '../api/pollIntervals.ts';
import { useNow } from '../api/useNow.ts';
import type { Shown } from './condense.ts';
import { moveFocus, type Piece, type Place, packRow } from './packRow.ts';
import { ScheduleDetails } from './ScheduleDetails.tsx';
import { ScheduleLane } from './ScheduleLane.tsx';
import { ScheduleScale } from './ScheduleScale.tsx';
import type { Row, ScheduleView } from './scheduleView.ts';
import { startPan } from './startPan.ts';
import type { TimelineRange } from './useTimeline.ts';

type ScheduleGridProps = {
  readonly view: ScheduleView;
  readonly rows: readonly Row[];
  readonly shown: readonly Shown[];
  readonly editions: TimelineRange['editions'];
  readonly isNow: boolean;
  onStep(by: number): void;
  onNow(): void;
};

const selector = ({ row, index }: Place): string => `[data-place="${row}-${index}"]`;

/** The piece that is on air, or the first one. */
function firstPlace(packed: readonly (readonly Piece[])[], now: number): Place {
  for (const [row, pieces] of packed.entries()) {
    const index = pieces.findIndex(({ of }) => of.startsAt <= now && now < of.endsAt);
    if (index >= 0) return { row, index };
  }
  return {
    row: Math.max(
      0,
      packed.findIndex((pieces) => pieces.length > 0),
    ),
    index: 0,
  };
}

/** Rows of time. One piece is in the tab order; arrow keys move from it to the others. */
export function ScheduleGrid({ view, rows, shown, editions, isNow, onStep, onNow }: ScheduleGridProps) {
  const now = useNow(POLL.active);
  const grid = useRef<HTMLFieldSetElement>(null);
  const key = `${view} ${rows[0]!.from}`;
  const packed = useMemo(() => rows.map((row) => packRow(shown, row)), [shown, key]);
  /** Focused or pointed at. */
  const [chosen, setChosen] = useState<Place & { readonly key: string }>();
  const initial = useMemo(() => firstPlace(packed, now), [packed]);
  const isKnown = chosen?.key === key && packed[chosen.row]?.[chosen.index] !== undefined;
  const current: Place = isKnown ? chosen : initial;
  const piece = packed[current.row]?.[current.index];
  useEffect(() => {
    if (isNow) grid.current?.querySelector('.now-row')?.scrollIntoView({ block: 'nearest' });
  }, [key]);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };
    const to = moveFocus(packed, current, event.key);
    if (steps[event.key] !== undefined) onStep(steps[event.key]!);
    else if (event.key === 't') onNow();
    else if (to === undefined) return;
    event.preventDefault();
    if (to === undefined) return;
    setChosen({ ...to, key });
    grid.current?.querySelector<HTMLElement>(selector(to))?.focus();
  };
  return (
    <div class="schedule-body">
      <fieldset
        ref={grid}
        class={`schedule-grid ${view}`}
        onKeyDown={press}
        onPointerDown={(event) => startPan(event, onStep)}
      >
        <legend class="visually-hidden">
          Entries. Arrow keys move, Page Up and Page Down change the time, T goes to now.
        </legend>
        <ScheduleScale view={view} />
        {rows.map((row, at) => (
          <ScheduleLane
            key={row.from}
            {...{ view, row, at, editions, now }}
            pieces={packed[at]!}
            current={current.row === at ? current.index : undefined}
            onChoose={(index) => setChosen({ row: at, index, key })}
          />
        ))}
      </fieldset>
      {piece ? <ScheduleDetails piece={piece} now={now} /> : null}
    </div>
  );
}
