// SPDX-License-Identifier: Apache-2.0
import { cpuMillis } from './cpuMillis.ts';

/** Measurements below this many milliseconds are mostly noise. */
const LEAST = 10;

/** Growth below this counts as linear: linear growth is 4, quadratic growth 16. */
export const LINEAR = 10;
/** Growth below this counts as constant: linear growth is 4. */
export const CONSTANT = 2;

/**
 * The factor by which processor time grows when a task is four times as large, on a machine of any speed.
 * @param taskOf creates a task of a size; creating it is not measured
 * @param from the initial size, doubled until the time can be measured, at most twelve times
 * @param limit what the test allows; no further round is measured when the factor is below half of it
 */
export function growthOf(taskOf: (size: number) => () => unknown, from = 1_000, limit = LINEAR): number {
  let size = from;
  while (size < from * 4_096 && cpuMillis(taskOf(size)) < LEAST) size *= 2;
  const [small, large] = [taskOf(size), taskOf(4 * size)];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // Alternates and takes the best of each: other load can only add to a cost.
  for (let round = 0; round < 5; round += 1) {
    least = Math.min(least, cpuMillis(small));
    most = Math.min(most, cpuMillis(large));
    if (most / Math.max(least, LEAST / 4) < limit / 2) break;
  }
  return most / Math.max(least, LEAST / 4);
}
