// A lineup: the editions of a channel's life on air. It answers what the channel plays between two instants, the same
// on every replica and for every viewer.
import type { Millis } from '../time/units.ts';
import { shareWhileHeld } from '../timeline/shareWhileHeld.ts';
import { type Span, spanEnd, spanStart } from '../timeline/span.ts';
import { type Edition, positionAt, spanAt } from './edition.ts';

export type Lineup = {
  /** The channel's first instant: MPD@availabilityStartTime. */
  readonly startedAt: Millis;
  /** By `from`, which grows; at least one. */
  readonly editions: readonly Edition[];
};

/** Spans are values of their position, so they are made once and shared by all viewers to whom they are shown. */
const sharedOf = new WeakMap<Edition, (position: number, make: () => Span) => Span>();

function sharedSpan(edition: Edition, position: number): Span {
  let share = sharedOf.get(edition);
  if (share === undefined) {
    share = shareWhileHeld();
    sharedOf.set(edition, share);
  }
  return share(position, () => spanAt(edition, position));
}

/** The spans that touch the time between `from` and `to`, in order. */
export function timelineBetween(lineup: Lineup, from: Millis, to: Millis): Span[] {
  const { editions } = lineup;
  const spans: Span[] = [];
  let index = editions.length - 1;
  while (index > 0 && editions[index]!.from > from) index -= 1;
  for (; index < editions.length; index += 1) {
    const edition = editions[index]!;
    if (edition.from >= to && spans.length > 0) break;
    const lastPosition = edition.last?.position ?? Number.MAX_SAFE_INTEGER;
    for (let position = positionAt(edition, from); position <= lastPosition; position += 1) {
      const span = sharedSpan(edition, position);
      if (spanStart(span) >= to) break;
      if (spanEnd(span) > from) spans.push(span);
    }
  }
  return spans;
}
