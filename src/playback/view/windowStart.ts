// SPDX-License-Identifier: Apache-2.0
import type { Millis } from '../../time/units.ts';
import { minWindowSeconds } from '../../timeline/programme/window.ts';
import type { Airing } from '../onAir/airing.ts';

/** Where windows start: a live origin may have deleted what is older. */
export const startOf = ({ programme }: Airing, from: number): Millis =>
  Math.max(from, programme.listedFrom ?? from) as Millis;

/**
 * The same for an edge that waits: the origin may have dropped what is before it, but no window starts after its edge. A session that
 * has a longer target duration than the feed does not start earlier than before (law 3).
 */
export const waitingFrom = ({ programme: { listedFrom }, declared }: Airing, from: number, edge: Millis): number =>
  Math.max(from, Math.min(listedFrom ?? from, edge - 1000 * minWindowSeconds(declared)));
