// SPDX-License-Identifier: Apache-2.0
// Ad requests, decisions and fill as metrics, from the events that reports count.

import { LRUCache } from 'lru-cache';
import type { Registry } from 'prom-client';
import { registerRead } from '../../composition/metrics/observeServing.ts';
import type { ReadMetric } from '../../http/live/measure/requestCounts.ts';
import type { RecordedBreak } from '../../playback/decide/decisionRecorder.ts';
import type { AiredRange, ReportEvent } from './rules/event.ts';

/** The most channels that are counted: those that had an event last. Values of others begin again at 0. */
export const MAX_CHANNELS = 2000;
export const MAX_HOSTS = 50;
export const MAX_SOURCES = 200;

type Values = ReturnType<ReadMetric['values']>;
const outcomeOf = (event: Extract<ReportEvent, { type: 'adRequest' }>): string =>
  event.isInvalid ? 'invalid' : event.outcome === 'answered' ? 'ads' : event.outcome;

const secondsOf = (ranges: readonly AiredRange[]): number => ranges.reduce((sum, { ms }) => sum + ms, 0) / 1000;

/** Stands for all that are beyond a limit. */
const OTHER = 'other';

/** @param make called with the name, or OTHER */
function countsIn<Counts>(known: Map<string, Counts>, most: number, name: string, make: (key: string) => Counts) {
  const key = known.has(name) || known.size < most ? name : OTHER;
  const counts = known.get(key) ?? make(key);
  known.set(key, counts);
  return counts;
}

export function adMetrics(registry: Registry) {
  const channels = new LRUCache<string, ChannelCounts>({ max: MAX_CHANNELS });
  const hosts = new Map<string, AdRequests>();
  const sources = new Map<string, Pick<AdRequests, 'labels' | 'outcomes'>>();
  const skipped = new Map<string, number>();

  function ofChannel({ channel, tenant }: { readonly channel: string; readonly tenant: string }): ChannelCounts {
    const key = `${tenant}/${channel}`;
    const counts = channels.get(key) ?? channelCounts(tenant, channel);
    channels.set(key, counts);
    return counts;
  }

  // Wrappers name any number of hosts.
  const ofHost = (name: string) => countsIn(hosts, MAX_HOSTS, name, (host) => adRequests({ host }));
  const ofSource = (tenant: string, id: string) =>
    countsIn(sources, MAX_SOURCES, `${tenant}/${id}`, (key) => ({
      labels: key === OTHER ? { source: OTHER } : { tenant, source: id },
      outcomes: new Map(),
    }));

  type Read = () => readonly Pick<AdRequests, 'labels' | 'outcomes'>[];
  const ofChannels = () => [...channels.values()];
  const ofHosts = () => [...hosts.values()];
  const metric = (name: string, help: string, values: () => Values, type: ReadMetric['type'] = 'counter') => {
    return { name: `midroll_${name}`, help, type, values, aggregator: 'sum' as const };
  };
  const outcomes = (name: string, help: string, read: Read) =>
    metric(name, help, () => read().flatMap(({ labels, outcomes: found }) => named(found, 'outcome', labels)));
  const durations = (name: string, help: string, read: () => readonly AdRequests[]) =>
    metric(name, help, () => read().flatMap((counts) => histogramSamples(`midroll_${name}`, counts)), 'histogram');
  const total = (name: string, help: string, of: keyof ChannelCounts['totals']) =>
    metric(name, help, () => ofChannels().map(({ labels, totals }) => ({ labels, value: totals[of] })));

  registerRead(registry, [
    outcomes(
      'ad_requests_total',
      'Requests that were sent to ad servers, by outcome: ads, empty, timeout, error or invalid',
      ofChannels,
    ),
    durations('ad_request_seconds', 'Duration of requests to ad servers in seconds', ofChannels),
    outcomes('ad_host_requests_total', 'Requests that were sent to each ad server, by outcome', ofHosts),
    durations('ad_host_request_seconds', 'Duration of requests to each ad server in seconds', ofHosts),
    outcomes(
      'ad_source_requests_total',
      'Requests to each ad source of channels with steps, by outcome: ads, empty, timeout, error or notSent',
      () => [...sources.values()],
    ),
    metric('decisions_total', 'Decided breaks of viewers, by status: filled, partial or empty', () =>
      ofChannels().flatMap(({ labels, decisions }) => named(decisions, 'status', labels)),
    ),
    metric(
      'decisions_not_filled_total',
      'Decided breaks of viewers that are partial or empty, by the code of the reason',
      () => ofChannels().flatMap(({ labels, reasons }) => named(reasons, 'reason', labels)),
    ),
    metric('ads_skipped_total', 'Ads of responses that were not used, by the code of the reason', () =>
      named(skipped, 'reason', {}),
    ),
    total('break_seconds_total', 'Length of decided breaks of viewers, in seconds', 'breakSeconds'),
    total('ad_seconds_total', 'Length of the ads in decided breaks of viewers, in seconds', 'adSeconds'),
    total('slate_seconds_total', 'Length of the slate in decided breaks of viewers, in seconds', 'slateSeconds'),
    total('sessions_opened_total', 'Sessions that were opened', 'sessions'),
  ]);

  return {
    event(event: ReportEvent): void {
      if (event.type === 'adRequest') {
        const outcome = outcomeOf(event);
        for (const counts of [ofChannel(event), ofHost(event.adServer)])
          countAdRequest(counts, outcome, event.ms / 1000);
      } else if (event.type === 'sourceRequested') {
        if (event.source !== undefined)
          increment(
            ofSource(event.tenant, event.source).outcomes,
            event.outcome === 'answered' ? 'ads' : event.outcome,
          );
      } else if (event.type === 'breakDecided') {
        const { totals } = ofChannel(event);
        totals.breakSeconds += event.ms / 1000;
        totals.adSeconds += secondsOf(event.ads);
        totals.slateSeconds += secondsOf(event.slate);
      } else if (event.type === 'sessionOpened') ofChannel(event).totals.sessions += 1;
      else if (event.type === 'adSkipped') increment(skipped, event.reason);
    },
    decided({ airing: { channel }, record: { status, reason } }: RecordedBreak): void {
      const { decisions, reasons } = ofChannel({ channel: channel.id, tenant: channel.tenant });
      increment(decisions, status);
      if (status !== 'filled') increment(reasons, reason?.code ?? 'ADS_SKIPPED');
    },
  };
}

/** Seconds. */
export const AD_REQUEST_BOUNDS = [0.1, 0.25, 0.5, 1, 2] as const;

/** The ad requests of one channel or one host. */
type AdRequests = {
  readonly labels: Values[number]['labels'];
  readonly outcomes: Map<string, number>;
  /** By the bound that the request did not exceed. */
  readonly buckets: Map<(typeof AD_REQUEST_BOUNDS)[number] | '+Inf', number>;
  seconds: number;
};

const adRequests = (labels: AdRequests['labels']): AdRequests => {
  return { labels, outcomes: new Map(), buckets: new Map(), seconds: 0 };
};

type ChannelCounts = ReturnType<typeof channelCounts>;

const channelCounts = (tenant: string, channel: string) => ({
  ...adRequests({ tenant, channel }),
  decisions: new Map<string, number>(),
  /** Decisions that are not filled, by the code of the reason. */
  reasons: new Map<string, number>(),
  totals: { breakSeconds: 0, adSeconds: 0, slateSeconds: 0, sessions: 0 },
});

function increment<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function countAdRequest(counts: AdRequests, outcome: string, seconds: number): void {
  increment(counts.outcomes, outcome);
  increment(counts.buckets, AD_REQUEST_BOUNDS.find((bound) => seconds <= bound) ?? '+Inf');
  counts.seconds += seconds;
}

const named = (counts: ReadonlyMap<string, number>, label: string, labels: AdRequests['labels']): Values =>
  [...counts].map(([name, value]) => ({ labels: { ...labels, [label]: name }, value }));

/** The samples of a histogram; none while nothing was counted. */
function histogramSamples(name: string, { labels, buckets, seconds }: AdRequests): Values {
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
