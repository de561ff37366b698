// SPDX-License-Identifier: Apache-2.0
// Work that sees everything that was stored before it began, such as reading a store: it never runs twice at once, and all who
// call during a run share the next one.

/** @returns a function whose result is that of a run that began after the call */
export function shareNext<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> | undefined;
  let next: Promise<Result> | undefined;

  function run(): Promise<Result> {
    const started = work();
    const settled = started.then(
      () => undefined,
      () => undefined,
    );
    running = settled;
    void settled.then(() => {
      if (running === settled) running = undefined;
    });
    return started;
  }

  return () => {
    if (running === undefined) return run();
    next ??= running.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
}
