// SPDX-License-Identifier: Apache-2.0
// Whether two renditions have a segment border at one instant: a break can start and end there.

/** Dates of stretches may be out of order. */
function ascending(times: readonly number[]): ArrayLike<number> {
  const isAscending = times.every((time, index) => index === 0 || time >= times[index - 1]!);
  return isAscending ? times : Float64Array.from(times).sort();
}

/** @param tolerance borders that are closer are one border */
export function shareBorder(a: readonly number[], b: readonly number[], tolerance: number): boolean {
  const [own, others] = [ascending(a), ascending(b)];
  for (let [at, other] = [0, 0]; at < own.length && other < others.length; ) {
    const distance = others[other]! - own[at]!;
    if (Math.abs(distance) <= tolerance) return true;
    if (distance > 0) at += 1;
    else other += 1;
  }
  return false;
}
