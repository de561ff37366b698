// SPDX-License-Identifier: Apache-2.0
// The time range of a report, and its query.

import type { Dimension } from '../../../src/platform/reports/contract/reportValues.ts';
import { labelsIn } from '../components/pickers/labelRules.ts';
import { givenOnly } from '../format/givenOnly.ts';
import { type Preset, presetRange, presets, type Range } from '../format/presetRange.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const intervals: readonly (readonly [ms: string, label: string])[] = [
  ['', 'Automatic'],
  ['60000', '1 minute'],
  ['300000', '5 minutes'],
  ['3600000', '1 hour'],
  ['86400000', '1 day'],
];

const MINUTE = 60_000;
/** Lengths of rows in milliseconds that a person can name. */
const STEPS = [MINUTE / 2, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR / 2, HOUR, 3 * HOUR, 6 * HOUR, DAY, 7 * DAY];
/** More points than this on a chart look like noise. */
const MAX_POINTS = 60;

/** The length of a row for a range, in milliseconds. */
export const automaticInterval = ({ start, end }: Range): number =>
  STEPS.find((step) => (end - start) / step <= MAX_POINTS) ?? 7 * DAY;

/** The days between a range and the one that it is compared with. */
export const comparedDays = ({ start, end }: Range): number => Math.max(1, Math.ceil((end - start) / DAY));

/** The same hours of the day before; of a longer range, the same number of days before it. */
export function previousRange(range: Range): Range {
  const distance = comparedDays(range) * DAY;
  return { start: range.start - distance, end: range.end - distance };
}

/** The filters of a report as they are in the address. */
export const reportDefaults = {
  system: '',
  report: '',
  range: 'hour',
  from: '',
  to: '',
  interval: '',
  channel: '',
  label: '',
  by: '',
  compare: '',
  rank: '',
};
export type ReportQuery = { readonly [Name in keyof typeof reportDefaults]: string };

/** A range that ends when the page was opened, or one with both ends. @param now milliseconds */
export function rangeOf({ range, from, to }: ReportQuery, now: number): Range {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (range === 'custom' && start < end) return { start, end };
  return presetRange(Object.hasOwn(presets, range) ? (range as Preset) : 'hour', now);
}

export type ReportParameters = {
  readonly range: Range;
  /** Milliseconds; empty for one that suits the range. */
  readonly interval: string;
  /** A channel id; empty for all. */
  readonly channel: string;
  /** Labels of channels, separated by commas; only without a channel. */
  readonly label: string;
  readonly groupBy: Dimension | '';
};

/** The server reads numbers above 1e11 as milliseconds. */
export const reportQuery = ({ range, interval, channel, label, groupBy }: ReportParameters) =>
  givenOnly({
    start: Math.round(range.start),
    end: Math.round(range.end),
    interval: interval === '' ? automaticInterval(range) : Number(interval),
    channel,
    label: channel === '' && label !== '' ? [...labelsIn(label)] : undefined,
    by: groupBy,
  });

export const dimensionLabels: Readonly<Record<Dimension, string>> = {
  channel: 'Channel',
  creative: 'Creative',
  host: 'Host',
  adServer: 'Ad server',
  reason: 'Reason',
  source: 'Ad source',
};
