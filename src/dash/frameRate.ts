// SPDX-License-Identifier: Apache-2.0
import { reduceRate, snapFrameRate } from '../time/frameRate.ts';
import type { FrameRate } from '../time/units.ts';

/**
 * Reads `25`, `30000/1001`, `60/2` (ISO/IEC 23009-1 5.3.7.2), and the decimals that some packagers write: `29.97`,
 * `25.000`. Returns undefined for any other text.
 */
export function readFrameRate(text: string): FrameRate | undefined {
  const match = /^\s*(\d{1,6}(?:\.\d{1,6})?)(?:\s*[/:]\s*(\d{1,6}))?\s*$/.exec(text);
  if (match === null) return undefined;
  const value = Number(match[1]);
  const d = match[2] === undefined ? 1 : Number(match[2]);
  if (value === 0 || d === 0) return undefined;
  return Number.isInteger(value) ? reduceRate(value, d) : snapFrameRate(value / d);
}
