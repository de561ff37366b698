// The window: the matrix of spans × rungs that a manifest shows at one instant. HLS writes its columns, DASH its rows.
import type { Millis } from '../time/units.ts';
import { segmentStart } from './clip.ts';
import type { Ladder } from './ladder.ts';
import { clockAt, type Placed, type Span, spanEnd, spanStart } from './span.ts';

/**
 * The segments of one span that are shown: for each rung, `first[r]` to `end[r] − 1` of its cell's track. Windows that
 * show the same of a span have the same row, and with it what was written of it.
 */
export type Row = {
  readonly span: Span;
  readonly first: readonly number[];
  readonly end: readonly number[];
  readonly kept: { dash?: unknown };
};

export type Window = {
  /** In the order of time; every row shows a segment in every rung: an empty one freezes dash.js and shaka. */
  readonly rows: readonly Row[];
  /** What was written of it, by whom: viewers who see the same share it. */
  readonly kept: { hls?: unknown };
};

/** How many segments of a cell have ended, and between which instants (`since` included, `until` not) that is so. */
type Cursor = { count: number; since: number; until: number };

/** What is known of the ends of a placed clip's segments; time goes on slowly, so the last answer is mostly the next. */
type Ends = {
  /** For each rung, of the window's start and of its edge. */
  readonly starts: readonly Cursor[];
  readonly edges: readonly Cursor[];
  /** From here on every rung has a segment. */
  readonly everyFrom: number;
  /** Until here every rung has a segment left. */
  readonly everyUntil: number;
};

/** When segment `index` (counted from the cell's first) of a rung ends, on the wall clock. */
function endAt({ clip, start }: Placed, rung: number, index: number): Millis {
  const cell = clip.cells[rung]!;
  return clockAt(start, segmentStart(clip, cell, cell.first + index + 1));
}

function knownEnds(placed: Placed): Ends {
  if (placed.kept.ends !== undefined) return placed.kept.ends as Ends;
  const { cells } = placed.clip;
  const cursors = () => cells.map((): Cursor => ({ count: 0, since: 0, until: 0 }));
  const ends: Ends = {
    starts: cursors(),
    edges: cursors(),
    everyFrom: Math.max(...cells.map((_, rung) => endAt(placed, rung, 0))),
    everyUntil: Math.min(...cells.map(({ first, end }, rung) => endAt(placed, rung, end - first - 1))),
  };
  placed.kept.ends = ends;
  return ends;
}

/** How many segments of a rung have ended at `time`. */
function countEnded(placed: Placed, rung: number, cursor: Cursor, time: Millis): number {
  if (time >= cursor.since && time < cursor.until) return cursor.count;
  const { first, end } = placed.clip.cells[rung]!;
  let low = 0;
  let high = end - first;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endAt(placed, rung, middle) > time) high = middle;
    else low = middle + 1;
  }
  cursor.count = low;
  cursor.since = low === 0 ? 0 : endAt(placed, rung, low - 1);
  cursor.until = low === end - first ? Number.POSITIVE_INFINITY : endAt(placed, rung, low);
  return low;
}

function counted(placed: Placed, cursors: readonly Cursor[], time: Millis): number[] {
  const { firsts } = placed.clip;
  const indexes = new Array<number>(firsts.length);
  for (let rung = 0; rung < firsts.length; rung += 1) {
    indexes[rung] = firsts[rung]! + countEnded(placed, rung, cursors[rung]!, time);
  }
  return indexes;
}

const newRow = (span: Span, first: readonly number[], end: readonly number[]): Row => ({
  span,
  first,
  end,
  kept: { dash: undefined },
});

/** The rows of a placed clip that were last asked for: viewers ask for the same, one after the other. */
type KnownRows = {
  span: Span;
  whole: Row | undefined;
  part: Row | undefined;
  /** The window that `part` was last found to be in. */
  from: number;
  to: number;
};

function knownRows(span: Span): KnownRows {
  const { kept } = span.placed;
  const known = kept.rows as KnownRows | undefined;
  if (known !== undefined && known.span === span) return known;
  const rows = { span, whole: undefined, part: undefined, from: 0, to: 0 };
  kept.rows = rows;
  return rows;
}

const isAlike = (one: readonly number[], other: readonly number[]): boolean => {
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
};

function partOf(span: Span, from: Millis, to: Millis, last: Row | undefined): Row | undefined {
  const { clip } = span.placed;
  const ends = knownEnds(span.placed);
  if (to < ends.everyFrom || from >= ends.everyUntil) return undefined;
  const first = spanStart(span) >= from ? clip.firsts : counted(span.placed, ends.starts, from);
  const end = spanEnd(span) <= to ? clip.ends : counted(span.placed, ends.edges, to);
  for (let rung = 0; rung < first.length; rung += 1) if (end[rung]! <= first[rung]!) return undefined;
  return last !== undefined && isAlike(last.first, first) && isAlike(last.end, end) ? last : newRow(span, first, end);
}

function rowOf(span: Span, from: Millis, to: Millis): Row | undefined {
  const known = knownRows(span);
  if (spanStart(span) >= from && spanEnd(span) <= to) {
    known.whole ??= newRow(span, span.placed.clip.firsts, span.placed.clip.ends);
    return known.whole;
  }
  if (known.from !== from || known.to !== to) {
    known.part = partOf(span, from, to, known.part);
    known.from = from;
    known.to = to;
  }
  return known.part;
}

/**
 * The window over consecutive spans: every segment that ends after `from` and not after `to`.
 * @param from, to wall clock; `to` is the live edge: now, or the start of a break that is not decided yet
 */
export function windowAt(spans: readonly Span[], from: Millis, to: Millis): Window {
  const rows: Row[] = [];
  for (const span of spans) {
    if (spanEnd(span) <= from || spanStart(span) >= to) continue;
    const row = rowOf(span, from, to);
    if (row !== undefined) rows.push(row);
  }
  return { rows, kept: { hls: undefined } };
}

/**
 * The shortest window of a ladder, in seconds: three target durations must stay listed (RFC 8216 §6.2.2), one more is
 * not complete yet, one may pass while the edge waits for a decision.
 */
export const leastWindow = ({ targetDuration }: Ladder): number => 5 * targetDuration;

/** The media sequence number of the first segment that a row shows in a rung, before a viewer's shift. */
export const firstNumber = ({ span, first }: Row, rung: number): number =>
  span.numbers[rung]! + first[rung]! - span.placed.clip.firsts[rung]!;
