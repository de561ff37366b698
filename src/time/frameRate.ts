// SPDX-License-Identifier: Apache-2.0
// Frame rates as exact fractions, and what follows from them.
import type { FrameRate } from './units.ts';

const whole = [12, 15, 24, 25, 30, 48, 50, 60, 100, 120];
const ntsc = [15, 24, 30, 48, 60, 120]; // times 1000/1001
const common: readonly FrameRate[] = [
  ...whole.map((n) => ({ n, d: 1 })),
  ...ntsc.map((n) => ({ n: n * 1000, d: 1001 })),
];

/** Relative. The difference between 30 and 30000/1001 is 1e-3. */
const TOLERANCE = 3e-4;

export const reduceRate = (n: number, d: number): FrameRate => {
  const divisor = greatestCommonDivisor(n, d);
  return { n: n / divisor, d: d / divisor };
};

/**
 * The exact rate behind a decimal (`29.97`) or behind the mean of rounded sample durations: a common one (SMPTE rates
 * such as 24000/1001) if one is near, otherwise the value rounded to a thousandth.
 * @returns undefined unless the value is between 1 and 1000
 */
export function snapFrameRate(framesPerSecond: number): FrameRate | undefined {
  if (!(framesPerSecond >= 1 && framesPerSecond <= 1000)) return undefined;
  const error = (rate: FrameRate): number => Math.abs((framesPerSecond * rate.d) / rate.n - 1);
  const nearest = common.reduce((best, rate) => (error(rate) < error(best) ? rate : best));
  return error(nearest) <= TOLERANCE ? nearest : reduceRate(Math.round(framesPerSecond * 1000), 1000);
}

/** For durations that are displayed or passed to other programs. Inside Midroll, durations are flicks. */
export const framesToSeconds = (frames: number, rate: FrameRate): number => (frames * rate.d) / rate.n;

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));

export const leastCommonMultiple = (a: number, b: number): number => (a / greatestCommonDivisor(a, b)) * b;
