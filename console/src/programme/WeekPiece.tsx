// SPDX-License-Identifier: Apache-2.0
import type { JSX } from 'preact';
import { useHint } from '../components/hints/useHint.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { plural } from '../format/numbers.ts';
import { formatDay, formatMark } from '../format/time.ts';
import { isGap, isProgramme, wholeSecond } from './programmeBlocks.ts';
import type { Piece } from './weekPieces.ts';

type WeekPieceProps = {
  readonly piece: Piece;
  /** Milliseconds, when the piece begins. */
  readonly start: number;
  readonly place: JSX.CSSProperties;
  readonly isOnAir: boolean;
  readonly isSelected: boolean;
  /** Whether it is in the tab order. */
  readonly isCurrent: boolean;
  readonly isDragged: boolean;
  readonly isMovable: boolean;
  onFocus(): void;
  onOpen(event: MouseEvent): void;
  onPress(event: KeyboardEvent): void;
  onDrag(event: PointerEvent): void;
  onResize(event: PointerEvent): void;
};

/** `20:00`, or `20:00:30`. */
const timeText = (time: number): string => formatMark(wholeSecond(time));

/** `20:00 Evening film, Mon 30 Nov, until 21:30, at a time, 3 breaks, cut`. It begins with the text that is shown. */
function labelOf({ blocks, isContinued }: Piece, isOnAir: boolean): string {
  const [first] = blocks;
  const last = blocks.at(-1) ?? first;
  const facts = [formatDay(first.from), `until ${timeText(last.to)}`];
  if (blocks.length > 1) return [`${timeText(first.from)} ${plural(blocks.length, 'programme')}`, ...facts].join(', ');
  return [
    `${timeText(first.from)} ${first.isLive ? 'Live ' : ''}${isGap(first) ? `${first.title}: add programme` : first.title}`,
    ...facts,
    first.ruleId === undefined ? (first.plannedStart === undefined ? '' : 'at a time') : 'rule',
    first.breaks.length === 0 ? '' : plural(first.breaks.length, 'break'),
    first.isCut ? 'cut' : first.isOut ? 'not on air' : '',
    isContinued ? 'continued' : '',
    isOnAir ? 'on air' : '',
  ]
    .filter((fact) => fact !== '')
    .join(', ');
}

/** What a piece is, and what can be done with it: its styles. */
function classOf({ blocks: [block, ...more] }: Piece, props: WeekPieceProps): string {
  const states = {
    group: more.length > 0,
    rule: block.ruleId !== undefined,
    cut: block.isCut,
    out: block.isOut,
    warned: block.notes.length > 0,
    'on-air': props.isOnAir && isProgramme(block),
    selected: props.isSelected,
    dragged: props.isDragged,
    movable: props.isMovable,
  };
  const names = Object.entries(states).flatMap(([name, isSet]) => (isSet ? [name] : []));
  return ['week-piece', block.kind, ...names].join(' ');
}

/** A block in the column of a day, or several that are too short to be drawn alone. */
export function WeekPiece(props: WeekPieceProps) {
  const { piece, start, place, isOnAir, isCurrent, isMovable, onFocus, onOpen, onPress, onDrag, onResize } = props;
  const { blocks, height, isContinued } = piece;
  const [block] = blocks;
  const hint = useHint(block.notes.length === 0 ? undefined : block.notes.join(' '));
  const share = (ms: number) => `${(ms / Math.max(height, 1)) * 100}%`;
  return (
    <>
      <button
        type="button"
        class={classOf(piece, props)}
        style={place}
        data-key={piece.key}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={labelOf(piece, isOnAir)}
        {...hint.target}
        onFocus={(event) => {
          hint.target.onFocus?.(event);
          onFocus();
        }}
        onClick={onOpen}
        onKeyDown={onPress}
        onPointerDown={onDrag}
      >
        {blocks.length > 1 ? (
          <b>{blocks.length}</b>
        ) : isGap(block) ? (
          <span class="muted">{block.title}</span>
        ) : (
          <>
            <span>
              {block.ruleId === undefined ? (
                block.plannedStart === undefined || isContinued ? null : (
                  <b class="pin" />
                )
              ) : (
                <Icon name="refresh" />
              )}
              {isContinued ? null : <time>{timeText(block.from)} </time>}
              {block.isLive ? <em>Live </em> : null}
              {block.title}
            </span>
            {block.breaks.map(({ at, duration }) =>
              at < start || at >= start + height ? null : (
                <i key={at} class="break" style={{ top: share(at - start), height: share(duration * 1000) }} />
              ),
            )}
          </>
        )}
        {isMovable ? <i class="stretch" onPointerDown={onResize} /> : null}
      </button>
      {hint.tip}
    </>
  );
}
