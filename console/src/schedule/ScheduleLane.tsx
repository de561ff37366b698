// SPDX-License-Identifier: Apache-2.0

import { plural } from '../format/numbers.ts';
import { formatDay, formatHourMinute } from '../format/time.ts';
import { breaksOf, isGroup, type Shown } from './condense.ts';
import type { Piece } from './packRow.ts';
import type { Row, ScheduleView } from './scheduleView.ts';
import type { TimelineRange } from './useTimeline.ts';

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

/** `23 items, 12 breaks` */
export const countsOf = (of: Shown): string => {
  const breaks = breaksOf(of);
  return [...(isGroup(of) ? [plural(of.items, 'item')] : []), ...(breaks === 0 ? [] : [plural(breaks, 'break')])].join(
    ', ',
  );
};

function labelOf({ of, isContinued }: Piece): string {
  const time = formatHourMinute(of.startsAt);
  const facts = [isGroup(of) ? '' : of.name, countsOf(of), isContinued ? 'continued' : ''];
  return `${time} ${facts.filter((fact) => fact !== '').join(', ')}`;
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
export function ScheduleLane({ view, row, at, pieces, editions, now, current, onChoose }: ScheduleLaneProps) {
  const share = (time: number): number => ((time - row.from) / (row.to - row.from)) * 100;
  const isWithin = (time: number): boolean => time >= row.from && time < row.to;
  return (
    <div class={`schedule-row${isWithin(now) ? ' now-row' : ''}`}>
      <span class="row-label">{view === 'week' ? dayLabel(row) : formatHourMinute(row.from)}</span>
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
