// SPDX-License-Identifier: Apache-2.0

/** A function that runs once at a time: each call waits for the one before it, whatever that results in. */
export function inTurn<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const next = last.then(() => run(...args));
    last = next.catch(() => undefined);
    return next;
  };
}
