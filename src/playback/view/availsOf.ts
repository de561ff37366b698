// A session's breaks under the ids by which its manifests know them. What a client has seen once keeps its id, so in HLS
// nothing is told whose number could still move.

import { type Choices, decidedFor, shiftBefore } from '../../ads/placement/personalise.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { SessionState } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import { spanStart } from '../../timeline/span.ts';
import type { Avail } from '../../tracking/feed/feed.ts';
import type { Airing } from '../onAir/airing.ts';
import { DECISION_TIMEOUT_MS, LOOKAHEAD_MS, ownBreak } from '../viewers/breaks.ts';
import { choicesOf, markVoidDecisions } from '../viewers/viewers.ts';

/** From when on segments are not numbered for good: the first break that may still be decided, and move what follows. */
function numberedUntil({ programme, ladder }: Airing, session: Session, { decided }: Choices, now: Millis): number {
  const ahead = programme.spansBetween(millis(now - DECISION_TIMEOUT_MS), millis(now + LOOKAHEAD_MS));
  const open = ahead.find(
    (span) =>
      span.break !== undefined &&
      decidedFor(decided, span.break.id) === undefined &&
      ownBreak(span, session, ladder.frameRate) !== undefined,
  );
  return open === undefined ? Number.POSITIVE_INFINITY : spanStart(open);
}

/** The breaks that are on the viewer's schedule; one that an edit has taken off is on nobody's. */
export function scheduledBreaks(
  airing: Airing,
  state: SessionState,
  records: readonly BreakRecord[],
): readonly BreakRecord[] {
  const { decided } = choicesOf(airing, markVoidDecisions(airing, state));
  return records.filter(({ id }) => decidedFor(decided, id) !== undefined);
}

/**
 * Of breaks that are remembered: those in the window, and those that left it a few minutes ago.
 * @param records oldest first
 * @param format by whose ids they are told; a session may be played in either, whichever it was opened in
 */
export function availsOf(
  airing: Airing,
  state: SessionState,
  records: readonly BreakRecord[],
  now: Millis,
  format: Session['format'],
): Avail[] {
  const { session } = state;
  const choices = choicesOf(airing, markVoidDecisions(airing, state));
  const until = format === 'hls' ? numberedUntil(airing, session, choices, now) : Number.POSITIVE_INFINITY;
  return records.flatMap((record): Avail[] => {
    const first = decidedFor(choices.decided, record.id)?.spans[0];
    if (first === undefined || spanStart(first) > until) return [];
    const number = first.numbers[0]! + shiftBefore(first, choices).segments[0]!;
    return [{ availId: format === 'hls' ? String(number) : first.id, record }];
  });
}
