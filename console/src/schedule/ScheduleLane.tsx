// SPDX-License-Identifier: Apache-2.0

import { plural } from '../logic/format/numbers.ts';
import { formatDay, formatHourMinute } from '../logic/format/time.ts';
import type { Piece } from '../logic/schedule/packRow.ts';
import type { Row, ScheduleView } from '../logic/schedule/scheduleView.ts';
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

const breaksOf = ({ blocks }: Piece): number => blocks.reduce((sum, { marks }) => sum + marks.length, 0);

function labelOf(piece: Piece): string {
  const [first] = piece.blocks;
  const name = piece.blocks.length === 1 ? first!.name : plural(piece.blocks.length, 'entry', 'entries');
  const breaks = breaksOf(piece);
  const facts = [
    `${formatHourMinute(first!.startsAt)} ${name}`,
    ...(breaks === 0 ? [] : [plural(breaks, 'break')]),
    ...(piece.isContinued ? ['continued'] : []),
  ];
  return facts.join(', ');
}

function PieceText({ piece: { blocks, width, isContinued } }: { readonly piece: Piece }) {
  const [first] = blocks;
  if (blocks.length > 1) return <b>{blocks.length}</b>;
  if (width < MIN_TEXT_WIDTH) return null;
  return (
    <>
      {width < MIN_TIME_WIDTH || isContinued ? null : <time>{formatHourMinute(first!.startsAt)} </time>}
      <span>{first!.name}</span>
    </>
  );
}

/** One row of the schedule: its pieces, the breaks in them, edits, and the current time. */
export function ScheduleLane({ view, row, at, pieces, editions, now, current, onChoose }: ScheduleLaneProps) {
  const share = (time: number): number => ((time - row.from) / (row.to - row.from)) * 100;
  const isWithin = (time: number): boolean => time >= row.from && time < row.to;
  return (
    <div class={`schedule-row${isWithin(now) ? ' now-row' : ''}`}>
      <span class="row-label">{view === 'week' ? formatDay(row.from) : formatHourMinute(row.from)}</span>
      <div class="lane">
        {pieces.map((piece, index) => (
          <button
            key={piece.blocks[0]!.startsAt}
            type="button"
            class={`piece ${piece.blocks.length > 1 ? 'group' : piece.blocks[0]!.kind}`}
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
