// When a decision may be forgotten: once its break has left every window, not merely its beginning. A break may last an
// hour, and what is forgotten of a break on show turns its ads back into slate.
import type { Choices } from '../../ads/placement/personalise.ts';
import { type Millis, millis } from '../../time/units.ts';
import { spanEnd } from '../../timeline/span.ts';

/**
 * Decisions of breaks that start before this may be folded into the odometer.
 * @param horizon what ends before it is in no window any more
 */
export function foldBefore({ decided }: Choices, horizon: number): Millis {
  let before = Math.max(0, horizon);
  for (const { startsAt, spans } of decided) {
    if (startsAt < before && spanEnd(spans[spans.length - 1]!) > horizon) before = startsAt;
  }
  return millis(before);
}
