// SPDX-License-Identifier: Apache-2.0
// How far the spans of an open break are listed: one whose end is not known yet. Whatever its end turns out to be, what was listed
// stays, and the rest is filled with at least half a second of slate (ads/placement/fitToEnd.ts).
import { FLICKS_PER_MILLI, FLICKS_PER_SECOND, type Flicks, flicks, type Millis } from '../../time/units.ts';
import { partOfClip } from '../asset/clip.ts';
import { clockAt, type Instant, type Span, spanEnd, spanStart } from './span.ts';

/** In milliseconds: half a second of slate. Both ends are rounded to a millisecond. */
const MARGIN = 501;
const SHORTEST_FILLER = FLICKS_PER_SECOND / 2;
/** An announced end may differ this much from the border at which the break ends, because both are rounded. */
const SAME_INSTANT = FLICKS_PER_SECOND / 10;

/** Instants of one break are hours apart at most. */
const flicksBetween = (from: Instant, to: Instant): Flicks =>
  flicks((to.millis - from.millis) * FLICKS_PER_MILLI + to.rest - from.rest);

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
  const isAnnounced = last?.isOpen === true && last.announcedEnd !== undefined;
  return isAnnounced && isListedAt(last.announcedEnd, border) && hasBorderAt(last, border);
}
