// SPDX-License-Identifier: Apache-2.0

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useNow } from '../api/serverClock.ts';
import { POLL } from '../api/useGet.ts';
import { followPointer } from '../components/pointer/followPointer.ts';
import { plural } from '../format/numbers.ts';
import { formatDay, formatHourMinute } from '../format/time.ts';
import { breaksOf, isGroup, type Shown } from './condense.ts';
import { moveFocus, type Piece, type Place, packRow } from './packRow.ts';
import { ScheduleDetails } from './ScheduleDetails.tsx';
import { type Row, type ScheduleView, spanOf } from './scheduleView.ts';
import type { TimelineRange } from './useTimeline.ts';

type ScheduleGridProps = {
  readonly view: ScheduleView;
  readonly rows: readonly Row[];
  readonly shown: readonly Shown[];
  readonly editions: TimelineRange['editions'];
  readonly isNow: boolean;
  onStep(by: number): void;
};

const selector = ({ row, index }: Place): string => `[data-place="${row}-${index}"]`;

/** The piece that is on air, or the first one. */
function firstPlace(packed: readonly (readonly Piece[])[], now: number): Place {
  for (const [row, pieces] of packed.entries()) {
    const index = pieces.findIndex(({ of }) => of.startsAt <= now && now < of.endsAt);
    if (index >= 0) return { row, index };
  }
  const filled = packed.findIndex((pieces) => pieces.length > 0);
  return { row: Math.max(0, filled), index: 0 };
}

/** Rows of time. One piece is in the tab order; arrow keys move from it to the others. */
export function ScheduleGrid({ view, rows, shown, editions, isNow, onStep }: ScheduleGridProps) {
  const now = useNow(POLL.active);
  const grid = useRef<HTMLFieldSetElement>(null);
  const key = `${view} ${spanOf(rows).from}`;
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
    const to = moveFocus(packed, current, event.key);
    if (to === undefined) return;
    event.preventDefault();
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
            view={view}
            row={row}
            at={at}
            editions={editions}
            now={now}
            pieces={packed[at] ?? []}
            current={current.row === at ? current.index : undefined}
            onChoose={(index) => setChosen({ row: at, index, key })}
          />
        ))}
      </fieldset>
      {piece ? <ScheduleDetails piece={piece} now={now} /> : null}
    </div>
  );
}

const marks: Readonly<Record<ScheduleView, readonly string[]>> = {
  hour: ['0', '3', '6', '9', '12 min'],
  day: [':00', ':10', ':20', ':30', ':40', ':50'],
  week: ['0:00', '3:00', '6:00', '9:00', '12:00', '15:00', '18:00', '21:00'],
};

/** What the columns of the schedule mean. */
const ScheduleScale = ({ view }: { readonly view: ScheduleView }) => (
  <div class="schedule-row scale" aria-hidden="true">
    <span />
    <div class="marks muted">
      {marks[view].map((mark) => (
        <span key={mark}>{mark}</span>
      ))}
    </div>
  </div>
);

// Dragging the schedule sideways goes to the time before or after it.

/** Pixels. A shorter movement is a click. */
const MIN_DISTANCE = 8;
const STEP_DISTANCE = 120;

/** @param onStep receives −1 or 1 */
function startPan(start: PointerEvent, onStep: (by: number) => void): void {
  if (start.button !== 0) return;
  const grid = start.currentTarget as HTMLElement;
  let distance = 0;
  const end = (isDone: boolean) => {
    grid.style.removeProperty('translate');
    grid.classList.remove('panning');
    if (isDone && Math.abs(distance) >= STEP_DISTANCE) onStep(distance < 0 ? 1 : -1);
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    const [x, y] = [clientX - start.clientX, clientY - start.clientY];
    if (distance === 0 && (Math.abs(x) < MIN_DISTANCE || Math.abs(y) > Math.abs(x))) return;
    distance = x;
    grid.classList.add('panning');
    grid.style.translate = `${x / 4}px`;
  };
  followPointer(window, move, end);
}

type ScheduleLaneProps = {
  readonly view: ScheduleView;
  readonly row: Row;
  /** The index of the row. */
  readonly at: number;
  readonly pieces: readonly Piece[];
  readonly editions: TimelineRange['editions'];
  readonly now: number;
  /** The index of the piece in the tab order. */
  readonly current: number | undefined;
  onChoose(index: number): void;
};

/** Per cent of a row; narrower pieces have no text. */
const MIN_TEXT_WIDTH = 2.5;
const MIN_TIME_WIDTH = 9;

/** `20:15 23 items, 12 breaks` */
function labelOf({ of, isContinued }: Piece): string {
  const breaks = breaksOf(of);
  const facts = [
    isGroup(of) ? plural(of.items, 'item') : of.name,
    breaks === 0 ? '' : plural(breaks, 'break'),
    isContinued ? 'continued' : '',
  ];
  return `${formatHourMinute(of.startsAt)} ${facts.filter((fact) => fact !== '').join(', ')}`;
}

function PieceText({ piece: { of, width, isContinued } }: { readonly piece: Piece }) {
  if (isGroup(of)) return <b>{of.items}</b>;
  if (width < MIN_TEXT_WIDTH) return null;
  return (
    <>
      {width < MIN_TIME_WIDTH || isContinued ? null : <time>{formatHourMinute(of.startsAt)} </time>}
      <span>{of.name}</span>
    </>
  );
}

/** A day on which the clocks change is drawn to its own scale, so its length is stated. */
function dayLabel({ from, to }: Row): string {
  const hours = (to - from) / 3_600_000;
  return hours === 24 ? formatDay(from) : `${formatDay(from)} (${hours} h)`;
}

/** One row of the schedule: its pieces, the breaks in them, edits, and the current time. */
function ScheduleLane({ view, row, at, pieces, editions, now, current, onChoose }: ScheduleLaneProps) {
  const share = (time: number): number => ((time - row.from) / (row.to - row.from)) * 100;
  const isWithin = (time: number): boolean => time >= row.from && time < row.to;
  return (
    <div class={`schedule-row${isWithin(now) ? ' now-row' : ''}`}>
      <span class="row-label number small muted">{view === 'week' ? dayLabel(row) : formatHourMinute(row.from)}</span>
      <div class="lane">
        {pieces.map((piece, index) => (
          <button
            key={piece.of.startsAt}
            type="button"
            class={`piece ${piece.of.kind}`}
            style={{ left: `${piece.left}%`, width: `${piece.width}%` }}
            data-place={`${at}-${index}`}
            tabIndex={current === index ? 0 : -1}
            aria-current={current === index ? 'true' : undefined}
            aria-label={labelOf(piece)}
            onFocus={() => onChoose(index)}
            onPointerEnter={({ pointerType, buttons }) => pointerType === 'mouse' && buttons === 0 && onChoose(index)}
          >
            <PieceText piece={piece} />
            {piece.marks.map(({ left, width, mark }) => (
              <i
                key={mark.startsAt}
                class={mark.insertedId === undefined ? 'mark' : 'mark inserted'}
                style={{ left: `${left}%`, width: `${width}%` }}
              />
            ))}
          </button>
        ))}
        {editions
          .filter(({ kind, startsAt }) => kind === 'edit' && isWithin(Date.parse(startsAt)))
          .map(({ number, startsAt }) => (
            <i key={number} class="edit-line" style={{ left: `${share(Date.parse(startsAt))}%` }} title="Edit" />
          ))}
        {isWithin(now) ? <i class="now-line" style={{ left: `${share(now)}%` }} title="Now" /> : null}
      </div>
    </div>
  );
}
