// SPDX-License-Identifier: Apache-2.0
// Ad requests, decisions and fill as metrics, from the events that reports count.

import { LRUCache } from 'lru-cache';
import type { Registry } from 'prom-client';
import { registerRead } from '../../composition/metrics/observeServing.ts';
import type { ReadMetric } from '../../http/live/measure/requestCounts.ts';
import type { RecordedBreak } from '../../playback/decide/decisionRecorder.ts';
import type { AiredRange, ReportEvent } from './rules/event.ts';

/** Of the channels that had an event last; values of others begin again at 0. */
export const MAX_CHANNELS = 2000;
export const MAX_HOSTS = 50;

type Values = ReturnType<ReadMetric['values']>;
type Known = { readonly labels: { readonly tenant: string; readonly channel: string }; readonly counts: ChannelCounts };

const outcomeOf = (event: Extract<ReportEvent, { type: 'adRequest' }>): string =>
  event.isInvalid ? 'invalid' : event.outcome === 'answered' ? 'ads' : event.outcome;

const secondsOf = (ranges: readonly AiredRange[]): number => ranges.reduce((sum, { ms }) => sum + ms, 0) / 1000;

export function adMetrics(registry: Registry) {
  const channels = new LRUCache<string, Known>({ max: MAX_CHANNELS });
  const hosts = new Map<string, AdRequestCounts>();
  const skipped = new Map<string, number>();

  function ofChannel({ channel, tenant }: { readonly channel: string; readonly tenant: string }): ChannelCounts {
    const key = `${tenant}/${channel}`;
    const known = channels.get(key);
    if (known !== undefined) return known.counts;
    const counts = channelCounts();
    channels.set(key, { labels: { tenant, channel }, counts });
    return counts;
  }

  function ofHost(name: string): AdRequestCounts {
    // Ad servers can come from any number of hosts.
    const host = hosts.has(name) || hosts.size < MAX_HOSTS ? name : 'other';
    const counts = hosts.get(host) ?? adRequestCounts();
    hosts.set(host, counts);
    return counts;
  }

  const known = () => [...channels.values()];
  const perChannel = (read: (counts: ChannelCounts) => number) => (): Values =>
    known().map(({ labels, counts }) => ({ labels, value: read(counts) }));
  const perName = (label: string, read: (counts: ChannelCounts) => ReadonlyMap<string, number>) => (): Values =>
    known().flatMap(({ labels, counts }) =>
      [...read(counts)].map(([name, value]) => ({ labels: { ...labels, [label]: name }, value })),
    );
  const metric = (name: string, help: string, values: () => Values, type: ReadMetric['type'] = 'counter') => ({
    name: `midroll_${name}`,
    help,
    type,
    values,
    aggregator: 'sum' as const,
  });

  registerRead(registry, [
    metric(
      'ad_requests_total',
      'Requests that were sent to ad servers, by outcome: ads, empty, timeout, error or invalid',
      perName('outcome', ({ outcomes }) => outcomes),
    ),
    metric(
      'ad_request_seconds',
      'Duration of requests to ad servers in seconds',
      () => known().flatMap(({ labels, counts }) => histogramSamples('midroll_ad_request_seconds', labels, counts)),
      'histogram',
    ),
    metric('ad_host_requests_total', 'Requests that were sent to each ad server, by outcome', () =>
      [...hosts].flatMap(([host, { outcomes }]) =>
        [...outcomes].map(([outcome, value]) => ({ labels: { host, outcome }, value })),
      ),
    ),
    metric(
      'ad_host_request_seconds',
      'Duration of requests to each ad server in seconds',
      () =>
        [...hosts].flatMap(([host, counts]) => histogramSamples('midroll_ad_host_request_seconds', { host }, counts)),
      'histogram',
    ),
    metric(
      'decisions_total',
      'Decided breaks of viewers, by status: filled, partial or empty',
      perName('status', ({ decisions }) => decisions),
    ),
    metric(
      'decisions_not_filled_total',
      'Decided breaks of viewers that are partial or empty, by the code of the reason',
      perName('reason', ({ reasons }) => reasons),
    ),
    metric('ads_skipped_total', 'Ads of responses that were not used, by the code of the reason', () =>
      [...skipped].map(([reason, value]) => ({ labels: { reason }, value })),
    ),
    metric(
      'break_seconds_total',
      'Length of decided breaks of viewers, in seconds',
      perChannel(({ breakSeconds }) => breakSeconds),
    ),
    metric(
      'ad_seconds_total',
      'Length of the ads in decided breaks of viewers, in seconds',
      perChannel(({ adSeconds }) => adSeconds),
    ),
    metric(
      'slate_seconds_total',
      'Length of the slate in decided breaks of viewers, in seconds',
      perChannel(({ slateSeconds }) => slateSeconds),
    ),
    metric(
      'sessions_opened_total',
      'Sessions that were opened',
      perChannel(({ sessions }) => sessions),
    ),
  ]);

  return {
    event(event: ReportEvent): void {
      if (event.type === 'adRequest') {
        const outcome = outcomeOf(event);
        for (const counts of [ofChannel(event), ofHost(event.adServer)])
          countAdRequest(counts, outcome, event.ms / 1000);
      } else if (event.type === 'breakDecided') {
        const counts = ofChannel(event);
        counts.breakSeconds += event.ms / 1000;
        counts.adSeconds += secondsOf(event.ads);
        counts.slateSeconds += secondsOf(event.slate);
      } else if (event.type === 'sessionOpened') ofChannel(event).sessions += 1;
      else if (event.type === 'adSkipped') increment(skipped, event.reason);
    },
    decided({ airing: { channel }, record: { status, reason } }: RecordedBreak): void {
      const counts = ofChannel({ channel: channel.id, tenant: channel.tenant });
      increment(counts.decisions, status);
      if (status !== 'filled') increment(counts.reasons, reason?.code ?? 'ADS_SKIPPED');
    },
  };
}

/** Seconds. */
export const AD_REQUEST_BOUNDS = [0.1, 0.25, 0.5, 1, 2] as const;

type Bound = (typeof AD_REQUEST_BOUNDS)[number] | '+Inf';

type AdRequestCounts = {
  readonly outcomes: Map<string, number>;
  /** By the bound that the request did not exceed. */
  readonly buckets: Map<Bound, number>;
  seconds: number;
};

type ChannelCounts = AdRequestCounts & {
  readonly decisions: Map<string, number>;
  /** Decisions that are not filled, by the code of the reason. */
  readonly reasons: Map<string, number>;
  breakSeconds: number;
  adSeconds: number;
  slateSeconds: number;
  sessions: number;
};

const adRequestCounts = (): AdRequestCounts => ({ outcomes: new Map(), buckets: new Map(), seconds: 0 });

const channelCounts = (): ChannelCounts => ({
  ...adRequestCounts(),
  decisions: new Map(),
  reasons: new Map(),
  breakSeconds: 0,
  adSeconds: 0,
  slateSeconds: 0,
  sessions: 0,
});

function increment<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function countAdRequest(counts: AdRequestCounts, outcome: string, seconds: number): void {
  increment(counts.outcomes, outcome);
  increment(counts.buckets, AD_REQUEST_BOUNDS.find((bound) => seconds <= bound) ?? '+Inf');
  counts.seconds += seconds;
}

/** The samples of a histogram; none while nothing was counted. */
function histogramSamples(name: string, labels: Values[number]['labels'], counts: AdRequestCounts): Values {
  const { buckets, seconds } = counts;
  let total = 0;
  const samples = [...AD_REQUEST_BOUNDS, '+Inf' as const].map((le) => {
    total += buckets.get(le) ?? 0;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
  });
  if (total === 0) return [];
  return [
    ...samples,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
