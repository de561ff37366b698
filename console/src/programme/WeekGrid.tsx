// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { defined } from '../../../src/invariant.ts';
import { followPointer } from '../components/pointer/followPointer.ts';
import { formatDay, formatHourMinute, formatTimeOfDay } from '../format/time.ts';
import { moveFocus } from '../schedule/packRow.ts';
import type { Row } from '../schedule/scheduleView.ts';
import type { Block } from './programmeBlocks.ts';
import { WeekPiece } from './WeekPiece.tsx';
import { inPerCent, keyedStart, movedDuration, movedStart, piecesOf, snapped, turnedKeys } from './weekPieces.ts';

const HOUR = 3_600_000;
/** Pixels. A shorter movement is a click. */
const MIN_DISTANCE = 5;

type WeekGridProps = {
  readonly days: readonly Row[];
  readonly blocks: readonly Block[];
  readonly now: number;
  readonly visibleHours: number;
  /** The id of the entry or rule that the panel shows. */
  readonly selected: string | undefined;
  onSelect(block: Block): void;
  /** @param at milliseconds, in a gap */
  onAdd(at: number): void;
  onMove(block: Block, start: number): void;
  onCopy(id: string, start: number): void;
  /** @param duration seconds */
  onResize(block: Block, duration: number): void;
  onRemove(block: Block): void;
  onZoomIn(): void;
};

/** Entries of rules move with their rule. */
const isMovable = ({ entryId, ruleId }: Block): boolean => entryId !== undefined && ruleId === undefined;

/** What is shown, in a column for each day. Programmes are moved, copied and stretched with the pointer or the keyboard. */
export function WeekGrid(props: WeekGridProps) {
  const { days, blocks, now, visibleHours, selected, onSelect, onAdd, onMove, onCopy, onResize, onRemove, onZoomIn } =
    props;
  const columns = useMemo(() => piecesOf(blocks, days, visibleHours * HOUR), [blocks, days, visibleHours]);
  const canvas = useRef<HTMLFieldSetElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState('');
  /** What is dragged, where it would be. */
  const [dragged, setDragged] = useState<Block>();
  /** The programme that moves keeps the focus, wherever its element is moved to. */
  const follows = useRef(false);
  const copied = useRef<string>();
  const isClickOfDrag = useRef(false);
  const length = Math.max(...days.map(({ from, to }) => to - from));
  const current = columns.flat().find(({ key }) => key === chosen)?.key ?? defaultKey(columns, now);

  const focus = (key: string) => canvas.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  useLayoutEffect(() => {
    if (follows.current) focus(chosen);
    follows.current = false;
  });
  const start = defined(days[0], 'a week has days').from;
  const isThisWeek = days.some(({ from, to }) => now >= from && now < to);
  useLayoutEffect(() => {
    const today = days.find(({ from, to }) => now >= from && now < to);
    const hour = today === undefined ? 6 : (now - today.from) / HOUR - 1;
    if (frame.current) frame.current.scrollTop = (frame.current.scrollHeight * hour * HOUR) / length;
  }, [start, visibleHours, isThisWeek]);

  const drag = (block: Block, kind: 'move' | 'resize') => (event: PointerEvent) => {
    // A finger scrolls.
    if (event.button !== 0 || event.pointerType === 'touch' || !isMovable(block)) return;
    event.stopPropagation();
    const area = defined(canvas.current, 'a block is in the grid');
    const origin = area.getBoundingClientRect();
    let target: Block | undefined;
    const move = ({ clientX, clientY, altKey }: PointerEvent) => {
      const { top, width, height } = area.getBoundingClientRect();
      const [x, y] = [clientX - event.clientX, clientY - event.clientY + origin.top - top];
      if (target === undefined && Math.hypot(x, y) < MIN_DISTANCE) return;
      const by = (y / height) * length;
      if (kind === 'resize') target = { ...block, to: block.from + movedDuration(block, days, by, altKey) * 1000 };
      else {
        const from = movedStart(block.from, days, Math.round((x / width) * days.length), by, altKey);
        target = { ...block, from, to: from + block.to - block.from };
      }
      setDragged(target);
    };
    const cancel = (press: KeyboardEvent) => {
      if (press.key === 'Escape') end(false);
    };
    let isOver = false;
    const end = (isLifted: boolean, last?: PointerEvent) => {
      if (isOver) return;
      isOver = true;
      removeEventListener('keydown', cancel);
      setDragged(undefined);
      if (target === undefined) return;
      // The click that follows the last movement opens nothing.
      isClickOfDrag.current = true;
      setTimeout(() => {
        isClickOfDrag.current = false;
      });
      if (!isLifted) return;
      if (kind === 'resize') onResize(block, (target.to - target.from) / 1000);
      else if (last?.ctrlKey || last?.metaKey) onCopy(block.entryId ?? '', target.from);
      else onMove(block, target.from);
    };
    addEventListener('keydown', cancel);
    followPointer(window, (each) => isOver || move(each), end);
  };

  /** @param begin when the piece begins */
  const open = (block: Block, begin: number, event: MouseEvent) => {
    if (isClickOfDrag.current) return;
    if (block.entryId !== undefined) return onSelect(block);
    if (block.kind === 'inserted') return;
    // Where the pointer is; from the keyboard, where the gap begins.
    const { top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const { height } = defined(canvas.current, 'a block is in the grid').getBoundingClientRect();
    const pointed = begin + ((event.clientY - top) / height) * length;
    onAdd(event.detail === 0 ? begin : Math.max(begin, snapped(pointed, start, false)));
  };

  const press = (block: Block, own: string, begin: number) => (event: KeyboardEvent) => {
    const { key, shiftKey, altKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const handle = () => {
      if (isControl && key.toLowerCase() === 'c' && isMovable(block)) {
        copied.current = block.entryId;
        return true;
      }
      if (isControl && key.toLowerCase() === 'v' && copied.current !== undefined) {
        onCopy(copied.current, block.entryId === undefined ? begin : block.to);
        return true;
      }
      if (isControl) return false;
      if ((key === 'Delete' || key === 'Backspace') && isMovable(block)) {
        onRemove(block);
        return true;
      }
      const to = shiftKey ? keyedStart(block.from, days, key, altKey) : undefined;
      if (to !== undefined) {
        follows.current = true;
        if (isMovable(block)) onMove(block, to);
        return true;
      }
      const next = moveFocus(
        columns.map((pieces) => pieces.map(inPerCent)),
        placeOf(columns, own),
        turnedKeys[key] ?? '',
      );
      const piece = next && columns[next.row]?.[next.index];
      if (piece) focus(piece.key);
      return piece !== undefined;
    };
    if (handle()) event.preventDefault();
  };

  return (
    <div class="week-frame" ref={frame} style={{ '--hour': `${40 / visibleHours}rem` }}>
      <div class="week-days" aria-hidden="true">
        {days.map((day) => (
          <span key={day.from} class={now >= day.from && now < day.to ? 'today' : ''}>
            {formatDay(day.from)}
            {day.to - day.from === 24 * HOUR ? '' : ` (${(day.to - day.from) / HOUR} h)`}
          </span>
        ))}
      </div>
      <div class="week-hours number small muted" aria-hidden="true">
        {Array.from({ length: length / HOUR }, (_, hour) => (
          <span key={hour}>{formatHourMinute(start + hour * HOUR)}</span>
        ))}
      </div>
      <fieldset class="week-canvas" ref={canvas} style={{ height: `calc(var(--hour) * ${length / HOUR})` }}>
        <legend class="visually-hidden">Programmes of the week</legend>
        {columns.flatMap((pieces, column) =>
          pieces.map((piece) => {
            const [block] = piece.blocks;
            const day = defined(days[column], 'a column is a day').from;
            const begin = day + piece.top;
            return (
              <WeekPiece
                key={piece.key}
                piece={piece}
                start={begin}
                place={placeStyle(piece.top, piece.height, column, days.length, block.isOut)}
                isOnAir={block.from <= now && now < block.to}
                isSelected={selected !== undefined && (block.ruleId ?? block.entryId) === selected}
                isCurrent={piece.key === current}
                isDragged={dragged?.key === block.key}
                isMovable={isMovable(block) && piece.blocks.length === 1}
                onFocus={() => setChosen(piece.key)}
                onOpen={(event) => (piece.blocks.length > 1 ? onZoomIn() : open(block, begin, event))}
                onPress={press(block, piece.key, begin)}
                onDrag={drag(block, 'move')}
                onResize={drag(block, 'resize')}
              />
            );
          }),
        )}
        {dragged === undefined
          ? null
          : piecesOf([dragged], days, 0).flatMap((pieces, column) =>
              pieces.map(({ top, height }) => (
                <div key={column} class="week-ghost" style={placeStyle(top, height, column, days.length)}>
                  {formatTimeOfDay(dragged.from)}–{formatTimeOfDay(dragged.to)}
                </div>
              )),
            )}
        {days.map(({ from, to }, column) =>
          now >= from && now < to ? (
            <i key={from} class="week-now" style={placeStyle(now - from, 0, column, days.length)} title="Now" />
          ) : null,
        )}
      </fieldset>
    </div>
  );
}

/** @param isHalf whether it is in the right half of its column */
const placeStyle = (top: number, height: number, column: number, count: number, isHalf = false) => ({
  left: `${((isHalf ? column + 0.5 : column) / count) * 100}%`,
  width: `${(isHalf ? 50 : 100) / count}%`,
  top: `calc(var(--hour) * ${top / HOUR})`,
  height: `calc(var(--hour) * ${height / HOUR})`,
});

type Columns = ReturnType<typeof piecesOf>;

/** What is on air, or else the first piece: it is in the tab order until another one was chosen. */
const defaultKey = (columns: Columns, now: number): string | undefined => {
  const pieces = columns.flat();
  return (pieces.find(({ blocks: [{ from, to }] }) => from <= now && now < to) ?? pieces[0])?.key;
};

function placeOf(columns: Columns, key: string) {
  const row = Math.max(
    0,
    columns.findIndex((pieces) => pieces.some((piece) => piece.key === key)),
  );
  return { row, index: Math.max(0, columns[row]?.findIndex((piece) => piece.key === key) ?? 0) };
}
