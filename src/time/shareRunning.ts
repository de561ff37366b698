// SPDX-License-Identifier: Apache-2.0
// Work that never runs twice at once: all who call during a run share it. What was stored meanwhile, it may have missed (shareNext.ts).

export function shareRunning<Given extends unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  let running: Promise<Result> | undefined;
  return (...given) => {
    running ??= work(...given).finally(() => {
      running = undefined;
    });
    return running;
  };
}
