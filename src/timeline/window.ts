// The window: the matrix of spans × rungs that a manifest shows at one instant. HLS writes its columns, DASH its rows.
import type { Millis } from '../time/units.ts';
import { type Cell, segmentStart } from './clip.ts';
import { clockAt, numberOf, type Placed, type Span, spanEnd, spanStart } from './span.ts';

/** The segments of one span that are shown: for each rung, `first[r]` to `end[r] − 1` of its cell's track. */
export type Row = { readonly span: Span; readonly first: readonly number[]; readonly end: readonly number[] };

export type Window = {
  /** In the order of time; every row shows a segment in every rung: an empty one freezes dash.js and shaka. */
  readonly rows: readonly Row[];
};

/** The first segment of a cell that ends after `time`. */
function firstEndingAfter(placed: Placed, cell: Cell, time: Millis): number {
  let low = cell.first;
  let high = cell.end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (clockAt(placed.start, segmentStart(placed.clip, cell, middle + 1)) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function rowOf(span: Span, from: Millis, to: Millis): Row | undefined {
  const { clip } = span.placed;
  const startsInside = spanStart(span) >= from;
  const endsInside = spanEnd(span) <= to;
  if (startsInside && endsInside) return { span, first: clip.firsts, end: clip.ends };
  const first: number[] = [];
  const end: number[] = [];
  for (const cell of clip.cells) {
    const shownFrom = startsInside ? cell.first : firstEndingAfter(span.placed, cell, from);
    const shownTo = endsInside ? cell.end : firstEndingAfter(span.placed, cell, to);
    if (shownTo <= shownFrom) return undefined;
    first.push(shownFrom);
    end.push(shownTo);
  }
  return { span, first, end };
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
  return { rows };
}

/** The media sequence number of the first segment that a row shows in a rung. */
export const firstNumber = (row: Row, rung: number): number =>
  numberOf(row.span, rung) + row.first[rung]! - row.span.placed.clip.cells[rung]!.first;
