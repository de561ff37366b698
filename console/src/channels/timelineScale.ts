// SPDX-License-Identifier: Apache-2.0
// Positions on a time scale, in per cent of the visible range.

import { localText } from '../format/zonedTime.ts';

export type Placed = { readonly left: number; readonly width: number };

/**
 * @param startsAt milliseconds
 * @param from milliseconds, the left end of the scale
 * @param range milliseconds from one end of the scale to the other
 * @returns undefined when no part of the entry is visible
 */
export function placeOnScale(startsAt: number, seconds: number, from: number, range: number): Placed | undefined {
  const start = Math.max(startsAt, from);
  const end = Math.min(startsAt + seconds * 1000, from + range);
  if (end <= start) return undefined;
  return { left: ((start - from) / range) * 100, width: ((end - start) / range) * 100 };
}

const HOUR_MS = 3_600_000;
const steps = [10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000];

/** About eight times within the visible range that are round in the selected zone, in milliseconds. */
export function scaleMarks(from: number, range: number): number[] {
  const step = steps.find((each) => range / each <= 9) ?? HOUR_MS;
  // Zones differ by quarters of an hour.
  const offset = Date.parse(`${localText(from)}Z`) - Math.floor(from / 1000) * 1000;
  const first = Math.ceil((from + offset) / step) * step - offset;
  const count = Math.max(0, Math.ceil((from + range - first) / step));
  return Array.from({ length: count }, (_, index) => first + index * step);
}
