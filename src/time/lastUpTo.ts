// SPDX-License-Identifier: Apache-2.0

/** @returns what finds the last index whose value is at most a limit, −1 if there is none; values need not be in order */
export function createLastUpTo(values: readonly number[]): (limit: number) => number {
  // Each value becomes the least of those that follow. They ascend then, and the last index up to a limit is the same.
  let lowest = Number.POSITIVE_INFINITY;
  const least = values.map((_, index) => {
    lowest = Math.min(lowest, values[values.length - 1 - index] ?? lowest);
    return lowest;
  });
  least.reverse();
  return (limit) => {
    let [from, to] = [0, least.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((least[middle] ?? 0) <= limit) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  };
}
