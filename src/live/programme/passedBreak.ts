// SPDX-License-Identifier: Apache-2.0
// Announced breaks that the timeline has passed. Viewers' ads are placed in a break that is announced; one that has not started
// when the timeline reaches it (slate without ads is on air, or a border is not near) is not announced any more.
import type { Instant } from '../../timeline/programme/span.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import { between } from './between.ts';

/** Whether a break was announced for `from` or later, and not for `to` or later. @param breaks in the order of their starts */
export function hasPassedBreak(breaks: readonly BreakFact[], from: Instant, to: Instant): boolean {
  const last = breaks.findLast(({ startsAt }) => between(startsAt, to) > 0);
  return last !== undefined && between(from, last.startsAt) >= 0;
}
