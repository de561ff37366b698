// SPDX-License-Identifier: Apache-2.0
// Which decisions may be folded into the odometer: those whose whole break has left every window. A break may last an hour, and
// folding the decision of a listed break would replace its ads by slate (law 1).
import type { Choices, DecidedBreak } from '../../ads/placement/personalise.ts';
import { type Millis, millis } from '../../time/units.ts';
import { spanEnd } from '../../timeline/programme/span.ts';

/** Content after ads within it is a Period of its own in DASH, until the next break (law 7). */
function endOf({ startsAt, spans, region }: DecidedBreak, decided: readonly DecidedBreak[]): number {
  if (region !== undefined) return Math.min(...decided.map((one) => one.startsAt).filter((start) => start > startsAt));
  const last = spans[spans.length - 1];
  return last === undefined ? startsAt : spanEnd(last);
}

/**
 * Decisions for breaks that start before the returned instant may be folded.
 * @param horizon no window lists anything that ends before it
 */
export function foldBefore({ decided }: Choices, horizon: number): Millis {
  let before = Math.max(0, horizon);
  for (const one of decided) {
    const decidedAt = Math.min(one.startsAt, one.decidedAt ?? one.startsAt);
    if (decidedAt < before && endOf(one, decided) > horizon) before = decidedAt;
  }
  return millis(before);
}
