// SPDX-License-Identifier: Apache-2.0
import type { JSX } from 'preact';
import { useHint } from '../components/hints/useHint.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { plural } from '../format/numbers.ts';
import { formatDay, formatMark } from '../format/time.ts';
import { isGap, isProgramme } from './programmeBlocks.ts';
import type { Piece } from './weekPieces.ts';

const MINUTE = 60_000;

type WeekPieceProps = {
  readonly piece: Piece;
  /** Milliseconds. */
  readonly dayStart: number;
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

/** `Mon 30 Nov 20:00–21:30 Evening film, at a time, 3 breaks, cut` */
function labelOf({ blocks, isContinued }: Piece, isOnAir: boolean): string {
  const [first] = blocks;
  const last = blocks.at(-1) ?? first;
  const facts =
    blocks.length > 1
      ? [plural(blocks.length, 'programme')]
      : [
          isGap(first) ? `Add programme in gap: ${first.title}` : first.title,
          first.ruleId === undefined ? (first.plannedStart === undefined ? '' : 'at a time') : 'rule',
          first.breaks.length === 0 ? '' : plural(first.breaks.length, 'break'),
          first.isCut ? 'cut' : first.isOut ? 'not on air' : '',
          isContinued ? 'continued' : '',
        ];
  const times = `${formatDay(first.from)} ${formatMark(first.from)}–${formatMark(last.to)}`;
  return `${times} ${[...facts, isOnAir ? 'on air' : ''].filter((fact) => fact !== '').join(', ')}`;
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
  const { piece, dayStart, place, isOnAir, isCurrent, isMovable, onFocus, onOpen, onPress, onDrag, onResize } = props;
  const { blocks, top, height, isContinued } = piece;
  const [block] = blocks;
  const hint = useHint(block.notes.length === 0 ? undefined : block.notes.join(' '));
  const start = dayStart + top;
  const share = (ms: number) => `${(ms / Math.max(height, 1)) * 100}%`;
  return (
    <>
      <button
        type="button"
        class={classOf(piece, props)}
        style={place}
        data-key={piece.key}
        data-day={dayStart}
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
              {isContinued ? null : <time>{formatMark(Math.floor(block.from / MINUTE) * MINUTE)} </time>}
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
