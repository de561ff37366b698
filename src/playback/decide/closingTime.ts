// SPDX-License-Identifier: Apache-2.0
// Until when ads of a break can be requested, and creatives be waited for. Pure.
import { type Millis, millis } from '../../time/units.ts';
import { DECISION_TIMEOUT_MS, type OwnBreak } from '../viewers/breaks.ts';

/** The decision is made this long before the break, or if it is late, this long before its timeout. */
const CLOSE_BEFORE_MS = 700;

/** When the decision must be made; creatives that are not ready by then are skipped. */
export const closingTime = ({ due }: Pick<OwnBreak, 'due'>, now: Millis): Millis => {
  const ahead = due - CLOSE_BEFORE_MS;
  return millis(ahead > now + CLOSE_BEFORE_MS ? ahead : Math.max(now, due + DECISION_TIMEOUT_MS - CLOSE_BEFORE_MS));
};

/** Until when a request can begin whose response comes before the break even if it takes as long as it may. */
export const requestableUntil = ({ due }: Pick<OwnBreak, 'due'>, timeoutMs: number): Millis =>
  millis(due - CLOSE_BEFORE_MS - timeoutMs);
