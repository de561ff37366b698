// SPDX-License-Identifier: Apache-2.0
// The window: the matrix of spans × rungs that a manifest lists at one instant. HLS writes its columns, DASH its rows.
import { type Memos, noMemos, ownMemo } from '../../cache/ownMemo.ts';
import type { Millis } from '../../time/units.ts';
import { segmentStart } from '../asset/clip.ts';
import type { Ladder } from '../ladder/ladder.ts';
import { openEdge } from './openEdge.ts';
import { clockAt, type Instant, type Placed, type Span, spanEnd, spanStart } from './span.ts';

/**
 * The listed segments of one span: for each rung, `first[r]` to `end[r] − 1` of its cell's track. Windows that list the same
 * segments of a span share the row, and the manifest text that is derived from it.
 */
export type Row = {
  readonly span: Span;
  readonly first: readonly number[];
  readonly end: readonly number[];
  readonly memos: Memos;
};

export type Window = {
  /** In the order of time. Every row has a segment in every rung: an empty one freezes dash.js and Shaka Player (law 5). */
  readonly rows: readonly Row[];
  readonly memos: Memos;
};

/** The number of segments of a cell that have ended, valid from `since` to before `until`. */
type Cursor = { count: number; since: number; until: number };

/** When the segments of a span end. Requests are close in time, so the cursors of the last one are mostly still valid. */
type SegmentEnds = {
  /** For each rung: cursors at the window's start and at its edge. */
  readonly starts: readonly Cursor[];
  readonly edges: readonly Cursor[];
  /** From here on, every rung has a complete segment. */
  readonly everyFrom: number;
  /** Until here, every rung has a segment that has not ended. */
  readonly everyUntil: number;
};

/** The end of segment `index` (counted from the cell's first) of a rung on the wall clock. */
function endAt({ clip, start }: Placed, rung: number, index: number): Millis {
  const cell = clip.cells[rung]!;
  return clockAt(start, segmentStart(clip, cell, cell.first + index + 1));
}

const segmentEnds = ownMemo(({ placed }: Span): SegmentEnds => {
  const { cells } = placed.clip;
  const cursors = () => cells.map((): Cursor => ({ count: 0, since: 0, until: 0 }));
  return {
    starts: cursors(),
    edges: cursors(),
    everyFrom: Math.max(...cells.map((_, rung) => endAt(placed, rung, 0))),
    everyUntil: Math.min(...cells.map(({ first, end }, rung) => endAt(placed, rung, end - first - 1))),
  };
});

/** The number of segments of a rung that have ended at `time`. */
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

function indexesAt(placed: Placed, cursors: readonly Cursor[], time: Millis): number[] {
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
  memos: noMemos(),
});

/** The last rows of a span: consecutive requests are mostly for the same ones. */
type LastRows = {
  /** All of the span. */
  whole: Row | undefined;
  /** The part of it within the window `from` to `to`. */
  part: Row | undefined;
  from: number;
  to: number;
};

const lastRows = ownMemo((_: Span): LastRows => ({ whole: undefined, part: undefined, from: 0, to: 0 }));

const isEqual = (one: readonly number[], other: readonly number[]): boolean => {
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
};

function partOf(span: Span, from: Millis, to: Millis, last: Row | undefined): Row | undefined {
  const { clip } = span.placed;
  const ends = segmentEnds(span);
  if (to < ends.everyFrom || from >= ends.everyUntil) return undefined;
  const first = spanStart(span) >= from ? clip.firsts : indexesAt(span.placed, ends.starts, from);
  const end = spanEnd(span) <= to ? clip.ends : indexesAt(span.placed, ends.edges, to);
  for (let rung = 0; rung < first.length; rung += 1) if (end[rung]! <= first[rung]!) return undefined;
  return last !== undefined && isEqual(last.first, first) && isEqual(last.end, end) ? last : newRow(span, first, end);
}

function rowOf(span: Span, from: Millis, to: Millis): Row | undefined {
  const last = lastRows(span);
  if (spanStart(span) >= from && spanEnd(span) <= to) {
    last.whole ??= newRow(span, span.placed.clip.firsts, span.placed.clip.ends);
    return last.whole;
  }
  if (last.from !== from || last.to !== to) {
    last.part = partOf(span, from, to, last.part);
    last.from = from;
    last.to = to;
  }
  return last.part;
}

/**
 * The window over consecutive spans: every segment that ends after `from` and not after `to`.
 * @param to the live edge: now, or the start of a break that is not decided yet
 * @param borders of a live timeline, the last ones, latest first (`openEdge`)
 */
export function windowAt(spans: readonly Span[], from: Millis, to: Millis, borders: readonly Instant[] = []): Window {
  const rows: Row[] = [];
  let open: Millis | undefined;
  for (const span of spans) {
    if (spanEnd(span) <= from || spanStart(span) >= to) continue;
    if (span.isOpen === true) open ??= openEdge(spans, to, borders);
    const row = rowOf(span, from, span.isOpen === true ? open! : to);
    if (row !== undefined) rows.push(row);
  }
  return { rows, memos: noMemos() };
}

/**
 * The shortest window of a ladder, in seconds. Three target durations must stay listed (RFC 8216 §6.2.2); one more is for the
 * segment that is not complete yet, and one for an edge that waits for a decision.
 */
export const minWindowSeconds = ({ targetDuration }: Ladder): number => 5 * targetDuration;

/** The media sequence number of the first segment of a row in a rung, without the viewer's shift. */
export const firstNumber = ({ span, first }: Row, rung: number): number =>
  span.numbers[rung]! + first[rung]! - span.placed.clip.firsts[rung]!;

/** Where the first segment starts that a row lists. */
export function startOfRow({ span: { placed }, first }: Row): Millis {
  const { clip, start } = placed;
  return clockAt(start, segmentStart(clip, clip.cells[0]!, first[0]!));
}
