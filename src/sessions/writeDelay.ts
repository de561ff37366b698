// SPDX-License-Identifier: Apache-2.0
// How long writes of a decision may wait for others that are stored together with them.

/** Milliseconds. */
const LEAST = 30;
const MOST = 250;
/** A fiftieth of the time until the break. Two writes wait for each decision: its claim, and the decision itself. */
const SHARE = 1 / 50;

/**
 * @param startsAt of the break, in milliseconds since the epoch
 * @returns milliseconds
 */
export const writeDelay = (startsAt: number, now: number): number =>
  Math.min(MOST, Math.max(LEAST, (startsAt - now) * SHARE));
