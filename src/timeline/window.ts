// The window: the matrix of spans × rungs that a manifest shows at one instant. HLS writes its columns, DASH its rows.
import type { Millis } from '../time/units.ts';
import { segmentStart } from './clip.ts';
import type { Ladder } from './ladder.ts';
import { clockAt, numberOf, type Placed, type Span, spanEnd, spanStart } from './span.ts';

/** The segments of one span that are shown: for each rung, `first[r]` to `end[r] − 1` of its cell's track. */
export type Row = { readonly span: Span; readonly first: readonly number[]; readonly end: readonly number[] };

export type Window = {
  /** In the order of time; every row shows a segment in every rung: an empty one freezes dash.js and shaka. */
  readonly rows: readonly Row[];
};

/** When each segment of each cell ends, on the wall clock, and what follows of that for all rungs together. */
type Ends = {
  readonly byRung: readonly Float64Array[];
  /** From here on every rung has a segment. */
  readonly everyFrom: number;
  /** Until here every rung has a segment left. */
  readonly everyUntil: number;
};
const endsOf = new WeakMap<Placed, Ends>();

/** Worked out once for a placed clip. */
function segmentEnds(placed: Placed): Ends {
  const known = endsOf.get(placed);
  if (known !== undefined) return known;
  const { clip, start } = placed;
  const byRung = clip.cells.map((cell) =>
    Float64Array.from({ length: cell.end - cell.first }, (_, index) =>
      clockAt(start, segmentStart(clip, cell, cell.first + index + 1)),
    ),
  );
  const ends: Ends = {
    byRung,
    everyFrom: Math.max(...byRung.map((one) => one[0]!)),
    everyUntil: Math.min(...byRung.map((one) => one[one.length - 1]!)),
  };
  endsOf.set(placed, ends);
  return ends;
}

/** How many of these ends are not after `time`. */
function countUntil(ends: Float64Array, time: Millis): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

const counted = (firsts: readonly number[], { byRung }: Ends, time: Millis): number[] =>
  firsts.map((first, rung) => first + countUntil(byRung[rung]!, time));

function rowOf(span: Span, from: Millis, to: Millis): Row | undefined {
  const { clip } = span.placed;
  const startsInside = spanStart(span) >= from;
  const endsInside = spanEnd(span) <= to;
  if (startsInside && endsInside) return { span, first: clip.firsts, end: clip.ends };
  const ends = segmentEnds(span.placed);
  if (to < ends.everyFrom || from >= ends.everyUntil) return undefined;
  const first = startsInside ? clip.firsts : counted(clip.firsts, ends, from);
  const end = endsInside ? clip.ends : counted(clip.firsts, ends, to);
  for (let rung = 0; rung < first.length; rung += 1) if (end[rung]! <= first[rung]!) return undefined;
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

/**
 * The shortest window of a ladder, in seconds: three target durations must stay listed (RFC 8216 §6.2.2), one more is
 * not complete yet, one may pass while the edge waits for a decision.
 */
export const leastWindow = ({ targetDuration }: Ladder): number => 5 * targetDuration;

/** The media sequence number of the first segment that a row shows in a rung. */
export const firstNumber = (row: Row, rung: number): number =>
  numberOf(row.span, rung) + row.first[rung]! - row.span.placed.clip.cells[rung]!.first;
