import type { FrameRate } from '../time/units.ts';

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
const reduced = (n: number, d: number): FrameRate => {
  const common = divisor(n, d);
  return { n: n / common, d: d / common };
};

/** The rates that are written as decimals though no decimal is exact: n · 1000/1001 (SMPTE ST 170, ARIB). */
const ntsc = [24, 30, 48, 60, 120];

/**
 * `25`, `30000/1001`, `60/2` (ISO/IEC 23009-1 5.3.7.2), and decimals as some packagers write them: `29.97`, `25.000`.
 * Undefined when it is no rate.
 */
export function readFrameRate(text: string): FrameRate | undefined {
  const match = /^\s*(\d{1,6}(?:\.\d{1,6})?)(?:\s*[/:]\s*(\d{1,6}))?\s*$/.exec(text);
  if (match === null) return undefined;
  const value = Number(match[1]);
  const d = match[2] === undefined ? 1 : Number(match[2]);
  if (value === 0 || d === 0) return undefined;
  if (Number.isInteger(value)) return reduced(value, d);
  const rate = value / d;
  const nearest = ntsc.find((frames) => Math.abs(rate - (frames * 1000) / 1001) < 0.005);
  return nearest === undefined ? reduced(Math.round(rate * 1000), 1000) : { n: nearest * 1000, d: 1001 };
}
