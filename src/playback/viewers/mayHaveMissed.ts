// SPDX-License-Identifier: Apache-2.0
// Whether other nodes may have decided breaks that this one will not come across. Pure.
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { Airing } from '../onAir/airing.ts';
import { DECISION_TIMEOUT_MS } from './breaks.ts';
import { depthsOf } from './depths.ts';

/** How long the edge of a viewer may have waited for a decision when the viewer was last seen, and a reserve. */
export const MAX_WAIT_MS = 2 * DECISION_TIMEOUT_MS;

/** `seenUntil`: the live edge when the viewer was last seen here. */
type Seen = { readonly session: Session; readonly seenUntil: Millis };

/**
 * A manifest waits for the decision of every break in its window, and that decision is read if another node has made it. So what
 * is in memory is enough for as long as each break that has begun since is still in the window. After a hole of the timeline, breaks
 * that ended in it are not.
 */
export function mayHaveMissed({ session, seenUntil }: Seen, airing: Airing, now: Millis): boolean {
  const { programme } = airing;
  const windowStart = programme.edgeAt(now) - depthsOf(session, airing).standard;
  return programme.historyFrom > seenUntil || windowStart > seenUntil - MAX_WAIT_MS;
}
