// SPDX-License-Identifier: Apache-2.0
// Time ranges that have a name.

import { midnight } from './zonedTime.ts';

/** Milliseconds. */
export type Range = { readonly start: number; readonly end: number };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const presets = {
  quarter: 'Last 15 minutes',
  hour: 'Last hour',
  day: 'Last 24 hours',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
} as const;
export type Preset = keyof typeof presets;

const lengths = { quarter: HOUR / 4, hour: HOUR, day: DAY, week: 7 * DAY } as const;

/** Days begin at midnight in the time zone of the console. @param now milliseconds */
export function presetRange(preset: Preset, now: number): Range {
  if (preset === 'today') return { start: midnight(now, 0), end: now };
  if (preset === 'yesterday') return { start: midnight(now, -1), end: midnight(now, 0) };
  return { start: now - lengths[preset], end: now };
}
