// SPDX-License-Identifier: Apache-2.0
// A view of an earlier time, from what is known now. Decisions and spans that were listed never change, so it lists the same, except
// after some changes, as when an open break has ended: a caller that needs exactly what was listed compares the results.
import { flicks, type Millis, millis } from '../../time/units.ts';
import type { ContentPart, Programme } from '../../timeline/programme/programme.ts';
import { clockAt, type Span, spanEnd } from '../../timeline/programme/span.ts';
import type { View } from './view.ts';

/** Continuous live content ends at the edge, and its last segment as the origin announced it: the next one tells exactly. */
function programmeUntil(programme: Programme, edge: Millis): Programme {
  const { partOf, borders } = programme;
  if (partOf === undefined) return programme;
  const end = { millis: edge, rest: flicks(0) };
  const isLater = ({ to }: ContentPart): boolean => to === undefined || clockAt(to, 0) > edge;
  const cut = (span: Span, part: ContentPart) => partOf(span, isLater(part) ? { ...part, to: end } : part);
  const isCut = (span: Span): boolean => span.stretch !== undefined && spanEnd(span) > edge;
  return {
    ...programme,
    ...(borders && { borders: borders.filter((border) => clockAt(border, 0) <= edge) }),
    partOf: cut,
    spansBetween: (from, to) =>
      programme.spansBetween(from, to).flatMap((span) => (isCut(span) ? (cut(span, {}) ?? []) : span)),
  };
}

/** What was listed of the time between `from` and `to`, when `to` was the live edge. */
export function pastView(view: View, from: Millis, to: Millis): View {
  const programme = programmeUntil(view.airing.programme, to);
  const spans = programme.spansBetween(from, millis(to + 1));
  return { ...view, airing: { ...view.airing, programme }, from, to, spans, strips: undefined };
}
