// SPDX-License-Identifier: Apache-2.0
// Work that can be interrupted: a generator that yields at least every few milliseconds.

export type Sliced<Result> = Generator<undefined, Result, undefined>;

/** Does all of it at once. */
export function finish<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
