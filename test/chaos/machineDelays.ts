// SPDX-License-Identifier: Apache-2.0
// When event loops were late because the machine was overloaded, so that its faults are not counted as those of the product.
import { readFileSync } from 'node:fs';

/** Milliseconds since 1970. */
export type BusyTime = { readonly from: number; readonly to: number };

const SAMPLE = 200;
const LATE = 300;

/** Lines with two instants (test/chaos/disturbedClock.mjs). */
export const readDelays = (file: string): BusyTime[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [from, to] = line.split(' ').map(Number) as [number, number];
      return { from, to };
    });

/** Watches the event loop of this process, in which the followers run. */
export function watchOwnDelays() {
  const seen: BusyTime[] = [];
  let expected = performance.now() + SAMPLE;
  const timer = setInterval(() => {
    const late = performance.now() - expected;
    if (late > LATE) seen.push({ from: Date.now() - late, to: Date.now() });
    expected = performance.now() + SAMPLE;
  }, SAMPLE);
  return { delays: (): readonly BusyTime[] => seen, close: () => clearInterval(timer) };
}

export const overlaps = (times: readonly BusyTime[], from: number, to: number): boolean =>
  times.some((time) => time.from < to && time.to > from);
