// SPDX-License-Identifier: Apache-2.0
// The overview as a pure function of what report stores counted.
import type { Millis } from '../../../time/units.ts';
import type { Rollup } from '../../reports/rules/ports.ts';
import { emptyRollup } from '../../reports/rules/rollup.ts';
import type { Counts } from './counts.ts';
import { compareCounts, compareShares, type Share } from './figure.ts';
import type { OverviewTimes, Span } from './overviewTimes.ts';
import { failuresIn, worstAdServers, worstChannels, worstCreatives } from './rank.ts';

const nothing: Rollup = emptyRollup();
const only = (counts: Counts[keyof Counts]): Rollup => counts.get('') ?? nothing;

function sumOf(counts: Counts[keyof Counts], name: string): number {
  let sum = 0;
  for (const { amounts } of counts.values()) sum += amounts[name] ?? 0;
  return sum;
}

const fillOf = (breaks: Counts[keyof Counts]): Share => {
  return { part: sumOf(breaks, 'filledMs'), whole: sumOf(breaks, 'offeredMs') };
};

function failuresOf(requests: Counts[keyof Counts]): Share {
  let part = 0;
  for (const { amounts } of requests.values()) part += failuresIn(amounts);
  return { part, whole: sumOf(requests, 'sent') };
}

/** The amounts of viewers are those of report intervals, of which a minute has six. */
const INTERVALS_PER_MINUTE = 6;

/** @param since when the tenant was created */
export function summarize(counts: Counts, times: OverviewTimes, since: Millis) {
  const isTooNew = ({ end }: Span) => end <= since;
  /** A count of a shorter time would look like a rise. */
  const isPartlyTooNew = ({ start }: Span) => start < since;
  const count = (now: keyof Counts, before: keyof Counts, name: string, span: Span = times.before) =>
    compareCounts(sumOf(counts[now], name), sumOf(counts[before], name), isPartlyTooNew(span));
  const fill = (now: keyof Counts, before: keyof Counts, span: Span) =>
    compareShares(fillOf(counts[now]), fillOf(counts[before]), isTooNew(span), 'no-breaks');
  const perMinute = (name: 'viewersNow' | 'viewersYesterday') => sumOf(counts[name], 'watching') / INTERVALS_PER_MINUTE;
  return {
    fill: {
      now: fill('breaksInHour', 'breaksYesterday', times.hourYesterday),
      hour: fill('breaksInHour', 'breaksHourBefore', times.hourBefore),
      range: fill('breaks', 'breaksBefore', times.before),
    },
    viewers: {
      now: compareCounts(perMinute('viewersNow'), perMinute('viewersYesterday'), isPartlyTooNew(times.minuteYesterday)),
      peak: compareCounts(
        only(counts.viewers).peaks.watching ?? 0,
        only(counts.viewersBefore).peaks.watching ?? 0,
        isPartlyTooNew(times.before),
      ),
    },
    minutesWatched: compareCounts(
      sumOf(counts.viewers, 'watching') / INTERVALS_PER_MINUTE,
      sumOf(counts.viewersBefore, 'watching') / INTERVALS_PER_MINUTE,
      isPartlyTooNew(times.before),
    ),
    adsShown: count('ads', 'adsBefore', 'started'),
    adRequests: count('requests', 'requestsBefore', 'sent'),
    adRequestFailures: compareShares(
      failuresOf(counts.requests),
      failuresOf(counts.requestsBefore),
      isTooNew(times.before),
      'no-requests',
    ),
    channels: worstChannels(counts),
    adServers: worstAdServers(counts.adServers),
    creatives: worstCreatives(counts.creatives),
  };
}
