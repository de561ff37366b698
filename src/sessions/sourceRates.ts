// SPDX-License-Identifier: Apache-2.0
// What all stores of source rates have in common: how far apart slots are, and which stored slots are believed.
import type { RatedSource } from './ports.ts';

/** The longest wait for a slot. */
export const MAX_SLOT_WAIT_MS = 60_000;

/** Microseconds from one slot to the next; not an integer. */
export const slotInterval = ({ maxPerSecond }: Pick<RatedSource, 'maxPerSecond'>): number => 1_000_000 / maxPerSecond;

/** Microseconds. A slot that is further ahead was reserved before the clock was set back, or at a much lower rate. */
export const farthestSlot = (source: Pick<RatedSource, 'maxPerSecond'>): number =>
  Math.ceil(1000 * MAX_SLOT_WAIT_MS + 2 * slotInterval(source));
