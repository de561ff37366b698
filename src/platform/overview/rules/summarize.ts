// SPDX-License-Identifier: Apache-2.0
// The overview as a pure function of what report stores counted.
import type { Millis } from '../../../time/units.ts';
import type { Counts } from './counts.ts';
import { compareCounts, compareShares } from './figure.ts';
import type { OverviewTimes, Span } from './overviewTimes.ts';
import { failures, worstAdServers, worstChannels, worstCreatives } from './rank.ts';

/** The amounts of viewers are those of report intervals, of which a minute has six. */
const INTERVALS_PER_MINUTE = 6;

/** @param since when the tenant was created */
export function summarize(counts: Counts, times: OverviewTimes, since: Millis) {
  const isTooNew = ({ end }: Span) => end <= since;
  /** A count of a shorter time would look like a rise. */
  const isPartlyTooNew = ({ start }: Span) => start < since;
  function sumOf(question: keyof Counts, ...names: readonly string[]): number {
    let sum = 0;
    for (const { amounts } of counts[question].values()) for (const name of names) sum += amounts[name] ?? 0;
    return sum;
  }
  const count = (now: keyof Counts, before: keyof Counts, name: string, per = 1, span = times.before) =>
    compareCounts(sumOf(now, name) / per, sumOf(before, name) / per, isPartlyTooNew(span));
  const fillOf = (question: keyof Counts) => ({
    part: sumOf(question, 'filledMs'),
    whole: sumOf(question, 'offeredMs'),
  });
  const fill = (now: keyof Counts, before: keyof Counts, span: Span) =>
    compareShares(fillOf(now), fillOf(before), isTooNew(span), 'no-breaks');
  const failuresOf = (question: 'requests' | 'requestsBefore') => ({
    part: sumOf(question, ...failures),
    whole: sumOf(question, 'sent'),
  });
  const peakOf = (question: 'viewers' | 'viewersBefore') => counts[question].get('')?.peaks.watching ?? 0;
  return {
    fill: {
      now: fill('breaksInHour', 'breaksYesterday', times.hourYesterday),
      hour: fill('breaksInHour', 'breaksHourBefore', times.hourBefore),
      range: fill('breaks', 'breaksBefore', times.before),
    },
    viewers: {
      now: count('viewersNow', 'viewersYesterday', 'watching', INTERVALS_PER_MINUTE, times.minuteYesterday),
      peak: compareCounts(peakOf('viewers'), peakOf('viewersBefore'), isPartlyTooNew(times.before)),
    },
    minutesWatched: count('viewers', 'viewersBefore', 'watching', INTERVALS_PER_MINUTE),
    adsShown: count('ads', 'adsBefore', 'started'),
    adRequests: count('requests', 'requestsBefore', 'sent'),
    adRequestFailures: compareShares(
      failuresOf('requests'),
      failuresOf('requestsBefore'),
      isTooNew(times.before),
      'no-requests',
    ),
    channels: worstChannels(counts),
    adServers: worstAdServers(counts.adServers),
    creatives: worstCreatives(counts.creatives),
  };
}
