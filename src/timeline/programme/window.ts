// SPDX-License-Identifier: Apache-2.0
// The window: the matrix of spans × rungs that a manifest lists at one instant. HLS writes its columns, DASH its rows.
import { type Memos, noMemos, ownMemo } from '../../cache/memo.ts';
import { countWhile } from '../../time/search.ts';
import { FLICKS_PER_SECOND, type Millis } from '../../time/units.ts';
import { cellOf, partOfClip, segmentStart } from '../asset/clip.ts';
import type { Ladder } from '../ladder/ladder.ts';
import { clockAt, flicksBetween, type Instant, ofRung, type Placed, type Span, spanEnd, spanStart } from './span.ts';

/**
 * The listed segments of one span: for each rung, `first[r]` to `end[r] − 1` of its cell's track. Windows that list the same
 * segments of a span share the row, and the manifest text that is derived from it.
 */
export type Row = {
  readonly span: Span;
  readonly first: readonly number[];
  readonly end: readonly number[];
  memos: Memos;
};

export type Window = {
  /** In the order of time. Every row has a segment in every rung: an empty one freezes dash.js and Shaka Player (law 5). */
  readonly rows: readonly Row[];
};

/** The end of segment `index` (counted from the cell's first) of a rung on the wall clock. */
export function endAt({ clip, start }: Placed, rung: number, index: number): Millis {
  const cell = cellOf(clip, rung);
  return clockAt(start, segmentStart(clip, cell, cell.first + index + 1));
}

/** Requests are close in time, so the count of the last one is mostly valid or one too small. */
const MAX_STEPS = 2;

/** The number of segments of a rung that have ended at `time`. @param guess of an earlier time */
export function countEndedAt(placed: Placed, rung: number, time: Millis, guess = 0): number {
  const { first, end } = cellOf(placed.clip, rung);
  const size = end - first;
  if (guess === 0 || endAt(placed, rung, guess - 1) <= time) {
    for (let count = guess; count <= guess + MAX_STEPS; count += 1) {
      if (count === size || endAt(placed, rung, count) > time) return count;
    }
  }
  return countWhile(size, (index) => endAt(placed, rung, index) <= time);
}

/** For each rung, the index of the first segment that has not ended; the same from `since` to before `until`. */
type Ended = { readonly indexes: readonly number[]; readonly since: number; readonly until: number };

function endedAt(placed: Placed, time: Millis, last: readonly number[]): Ended {
  let since = Number.NEGATIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  const indexes = placed.clip.cells.map(({ first, end }, rung) => {
    const count = countEndedAt(placed, rung, time, ofRung(last, rung) - first);
    if (count > 0) since = Math.max(since, endAt(placed, rung, count - 1));
    if (first + count < end) until = Math.min(until, endAt(placed, rung, count));
    return first + count;
  });
  return { indexes, since, until };
}

const newRow = (span: Span, first: readonly number[], end: readonly number[]): Row => ({
  span,
  first,
  end,
  memos: noMemos(),
});

/** The last row of a span that lists part of it, and the windows that it is valid for: rows change when a segment ends. */
type LastPart = { row: Row | undefined; readonly start: Ended; readonly edge: Ended };

/**
 * The last rows of a span: consecutive requests are mostly for the same ones. There are two parts, the newest one first, so that
 * viewers of the usual depth share theirs while others choose other depths.
 */
type LastRows = { whole: Row | undefined; part: LastPart | undefined; other: LastPart | undefined };

const lastRows = ownMemo((_: Span): LastRows => ({ whole: undefined, part: undefined, other: undefined }));

const isEqual = (one: readonly number[], other: readonly number[]): boolean => {
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
};

const isValidAt = ({ since, until }: Ended, time: Millis): boolean => time >= since && time < until;
const isValidFor = ({ start, edge }: LastPart, from: Millis, to: Millis): boolean =>
  isValidAt(start, from) && isValidAt(edge, to);

function partOf(span: Span, from: Millis, to: Millis, last: LastPart | undefined): LastPart {
  const { placed } = span;
  const { firsts } = placed.clip;
  const start = last && isValidAt(last.start, from) ? last.start : endedAt(placed, from, last?.start.indexes ?? firsts);
  const edge = last && isValidAt(last.edge, to) ? last.edge : endedAt(placed, to, last?.edge.indexes ?? firsts);
  const [first, end] = [start.indexes, edge.indexes];
  const isEmpty = first.some((index, rung) => ofRung(end, rung) <= index);
  if (isEmpty) return { row: undefined, start, edge };
  const known = last?.row;
  const isKnown = known !== undefined && isEqual(known.first, first) && isEqual(known.end, end);
  return { row: isKnown ? known : newRow(span, first, end), start, edge };
}

function wholeRow(span: Span, from: Millis, to: Millis): Row | undefined {
  const { startsAt, endsAt, clip } = span.placed;
  if (startsAt < from || endsAt > to) return undefined;
  const last = lastRows(span);
  last.whole ??= newRow(span, clip.firsts, clip.ends);
  return last.whole;
}

function lastPart(span: Span, from: Millis, to: Millis): LastPart {
  const last = lastRows(span);
  const { part, other } = last;
  if (part !== undefined && isValidFor(part, from, to)) return part;
  last.other = part;
  const isOther = other !== undefined && isValidAt(other.start, from);
  const found = isOther && isValidAt(other.edge, to) ? other : partOf(span, from, to, isOther ? other : part);
  last.part = found;
  return found;
}

const rowOf = (span: Span, from: Millis, to: Millis): Row | undefined =>
  wholeRow(span, from, to) ?? lastPart(span, from, to).row;

/** When every rung of a span has a segment: the live edge from which on, and the window's start until which. */
export function everyRung({ placed }: Span): { readonly from: number; readonly until: number } {
  const { cells } = placed.clip;
  return {
    from: Math.max(...cells.map((_, rung) => endAt(placed, rung, 0))),
    until: Math.min(...cells.map(({ first, end }, rung) => endAt(placed, rung, end - first - 1))),
  };
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
    let edge = to;
    if (span.open !== undefined) {
      open ??= openEdge(spans, to, borders);
      edge = open;
    }
    const row = rowOf(span, from, edge);
    if (row !== undefined) rows.push(row);
  }
  return { rows };
}

/**
 * The shortest window of a ladder, in seconds. Three target durations must stay listed (RFC 8216 §6.2.2); one more is for the
 * segment that is not complete yet, and one for an edge that waits for a decision.
 */
export const minWindowSeconds = ({ targetDuration }: Ladder): number => 5 * targetDuration;

/** The media sequence number of the first segment of a row in a rung, without the viewer's shift. */
export const firstNumber = ({ span, first }: Row, rung: number): number =>
  ofRung(span.numbers, rung) + ofRung(first, rung) - ofRung(span.placed.clip.firsts, rung);

/** Where the first segment starts that a row lists. */
export function startOfRow({ span: { placed }, first }: Row): Millis {
  const { clip, start } = placed;
  return clockAt(start, segmentStart(clip, cellOf(clip, 0), ofRung(first, 0)));
}

// How far the spans of an open break are listed: one whose end is not known yet. Whatever its end turns out to be, what was listed
// stays, and the rest is filled with at least half a second of slate (ads/placement/placeLiveBreak.ts).

/** In milliseconds: half a second of slate. Both ends are rounded to a millisecond. */
const MARGIN = 501;
const SHORTEST_FILLER = FLICKS_PER_SECOND / 2;
/** An announced end may differ this much from the border at which the break ends, because both are rounded. */
const SAME_INSTANT = FLICKS_PER_SECOND / 10;

/**
 * Whether segments that end at an edge are listed there, and not only when the edge is half a second further: the break is
 * announced to end at this edge, or later by at least half a second. If it ends earlier than announced, it does not end less than
 * half a second after such an edge (live/programme/sectionAt.ts).
 */
export function isListedAt(announcedEnd: Instant, edge: Instant): boolean {
  const left = flicksBetween(edge, announcedEnd);
  return left >= SHORTEST_FILLER || Math.abs(left) <= SAME_INSTANT;
}

/** Whether every rung of a span has a segment that ends at an instant: a cut point is the same instant in every rung. */
function hasBorderAt({ placed: { clip, start } }: Span, instant: Instant): boolean {
  const at = flicksBetween(start, instant);
  return at === clip.duration || partOfClip(clip).cutPoints.includes(clip.from + at);
}

/** Windows that wait for a decision end a few segments before the edge. */
const MAX_BORDERS = 32;

/** The last borders of a timeline, latest first, with one more. */
export const withBorder = (borders: readonly Instant[], edge: Instant): readonly Instant[] => [
  edge,
  ...borders.slice(0, MAX_BORDERS - 1),
];

/** The borders hardly before an instant: what was listed at them stays listed. */
export const bordersAt = (borders: readonly Instant[], time: Millis): readonly Instant[] =>
  borders.filter((border) => clockAt(border, 0) <= time && clockAt(border, 0) >= time - MARGIN);

/**
 * @param to the edge of a window
 * @param borders of the timeline, the last ones, latest first
 * @returns the edge up to which the open spans of the window are listed
 */
export function openEdge(spans: readonly Span[], to: Millis, borders: readonly Instant[]): Millis {
  const behind = (to - MARGIN) as Millis;
  const listed = bordersAt(borders, to).find((border) => isListed(spans, border));
  return listed === undefined ? behind : (Math.max(behind, clockAt(listed, 0)) as Millis);
}

function isListed(spans: readonly Span[], border: Instant): boolean {
  const time = clockAt(border, 0);
  const last = spans.find((span) => spanStart(span) < time && spanEnd(span) >= time);
  const announcedEnd = last?.open?.announcedEnd;
  return (
    last !== undefined && announcedEnd !== undefined && isListedAt(announcedEnd, border) && hasBorderAt(last, border)
  );
}
