import type { FrameRate } from '../../time/units.ts';

const whole = [12, 15, 24, 25, 30, 48, 50, 60, 100, 120];
const slowed = [15, 24, 30, 48, 60, 120]; // times 1000/1001, for NTSC
const common: readonly FrameRate[] = [
  ...whole.map((n) => ({ n, d: 1 })),
  ...slowed.map((n) => ({ n: n * 1000, d: 1001 })),
];

/** Half of what separates 30 from 30000/1001 is 5e-4. */
const TOLERANCE = 3e-4;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/**
 * The frame rate that a decimal (`29.97`) or a mean of rounded sample durations means: a common one where it is near
 * (SMPTE rates: 24000/1001, 30000/1001 …), else the fraction itself to a thousandth.
 * @returns undefined when it is no rate that video has
 */
export function snapFrameRate(framesPerSecond: number): FrameRate | undefined {
  if (!(framesPerSecond >= 1 && framesPerSecond <= 1000)) return undefined;
  const error = (rate: FrameRate): number => Math.abs((framesPerSecond * rate.d) / rate.n - 1);
  const nearest = common.reduce((best, rate) => (error(rate) < error(best) ? rate : best));
  if (error(nearest) <= TOLERANCE) return nearest;
  const n = Math.round(framesPerSecond * 1000);
  const shared = divisor(n, 1000);
  return { n: n / shared, d: 1000 / shared };
}
