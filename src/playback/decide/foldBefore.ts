// SPDX-License-Identifier: Apache-2.0
// Which decisions may be folded into the odometer: those whose whole break has left every window. A break may last an hour, and
// folding the decision of a listed break would replace its ads by slate (law 1).
import type { Choices } from '../../ads/placement/personalise.ts';
import { type Millis, millis } from '../../time/units.ts';
import { spanEnd } from '../../timeline/programme/span.ts';

/**
 * Decisions for breaks that start before the returned instant may be folded.
 * @param horizon no window lists anything that ends before it
 */
export function foldBefore({ decided }: Choices, horizon: number): Millis {
  let before = Math.max(0, horizon);
  for (const { startsAt, spans } of decided) {
    const last = spans[spans.length - 1];
    if (last !== undefined && startsAt < before && spanEnd(last) > horizon) before = startsAt;
  }
  return millis(before);
}
