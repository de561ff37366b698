// SPDX-License-Identifier: Apache-2.0
// A session's breaks under the ids that its manifests use. An id never changes once a client has read it. In HLS the id is a
// media sequence number, so a break is omitted while an earlier decision can still change that number.

import { type Choices, decidedFor, shiftBefore } from '../../ads/placement/personalise.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { cutRecord } from '../../ads/record/buildBreakRecord.ts';
import type { SessionState } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import { spanStart } from '../../timeline/programme/span.ts';
import type { Avail } from '../../tracking/feed/feed.ts';
import type { Airing } from '../onAir/airing.ts';
import { DECISION_TIMEOUT_MS, LOOKAHEAD_MS, ownBreak } from '../viewers/breaks.ts';
import { choicesOf, markVoidDecisions } from '../viewers/choicesOf.ts';
import { settle } from '../viewers/settledDecisions.ts';

/** The start of the first break without a decision. Its decision may change the numbers of all segments after it. */
function numberedUntil({ programme, ladder }: Airing, session: Session, { decided }: Choices, now: Millis): number {
  const edge = programme.edgeAt(now);
  const ahead = programme.spansBetween(millis(edge - DECISION_TIMEOUT_MS), millis(edge + LOOKAHEAD_MS));
  const undecided = ahead.find(
    (span) =>
      span.break !== undefined &&
      decidedFor(decided, span.break.id) === undefined &&
      ownBreak(span, session, ladder.frameRate, programme) !== undefined,
  );
  return undecided === undefined ? Number.POSITIVE_INFINITY : spanStart(undecided);
}

/**
 * The records of breaks that are on the schedule, without those removed by an edit. An early return cuts them as soon as it is
 * known, which is before the records in the store are changed.
 */
export function scheduledBreaks(
  airing: Airing,
  state: SessionState,
  records: readonly BreakRecord[],
): readonly BreakRecord[] {
  const onSchedule = markVoidDecisions(airing, state);
  const choices = choicesOf(airing, onSchedule);
  const { decisions } = settle(onSchedule, choices);
  return records
    .filter(({ id }) => decidedFor(choices.decided, id) !== undefined)
    .map((record) => {
      const { ads, settled } = decisions.find(({ breakId }) => breakId === record.id) ?? {};
      return ads === undefined || settled?.shown === undefined ? record : cutRecord(record, ads, settled.shown);
    });
}

/**
 * The breaks in the window and those that left it in the last minutes.
 * @param records oldest first
 * @param format selects the ids; a session may be played in either format, whichever it was opened in
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
    const [number = 0] = first.numbers;
    const [shift = 0] = shiftBefore(first, choices).segments;
    return [{ availId: format === 'hls' ? String(number + shift) : first.id, record }];
  });
}
