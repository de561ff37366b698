// SPDX-License-Identifier: Apache-2.0
import { type Flicks, flicks, millis, millisToFlicks } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';

/** Instants may be years apart, and flicks overflow after 147 days. */
const FAR = 86_400_000 * 100;

/** The time from one instant to another, negative if it is earlier; 100 days at most. */
export function between(from: Instant, to: Instant): Flicks {
  const whole = Math.max(-FAR, Math.min(FAR, to.millis - from.millis));
  return flicks(millisToFlicks(millis(whole)) + to.rest - from.rest);
}
