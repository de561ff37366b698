// SPDX-License-Identifier: Apache-2.0
/** How many of `size` items, from the first on, satisfy a condition that no item after the first other one satisfies. */
export function countWhile(size: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
