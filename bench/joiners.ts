// SPDX-License-Identifier: Apache-2.0
// Viewers who open a stream one after the other, as at the beginning of a programme, and stay.
import { setTimeout as sleep } from 'node:timers/promises';

export type JoinFigures = {
  readonly failed: number;
  /** From when a viewer was to join until its first media playlist arrived, in milliseconds, sorted. */
  readonly latencies: Float64Array;
  readonly paths: readonly string[];
};

/** @param open opens a session and requests its first media playlist @param count of viewers, spread evenly over `overMs` */
export async function joinOver(
  open: () => Promise<string | undefined>,
  count: number,
  overMs: number,
): Promise<JoinFigures> {
  const start = performance.now();
  const joining: Promise<void>[] = [];
  const paths: string[] = [];
  const latencies: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const due = start + (index / count) * overMs;
    while (performance.now() < due) await sleep(1);
    joining.push(
      open().then((path) => {
        latencies.push(performance.now() - due);
        if (path !== undefined) paths.push(path);
      }),
    );
  }
  await Promise.all(joining);
  return { failed: count - paths.length, latencies: Float64Array.from(latencies).sort(), paths };
}
