// SPDX-License-Identifier: Apache-2.0
// Ad requests, decisions and fill as metrics, from the events that reports count.
import { LRUCache } from 'lru-cache';
import type { Registry } from 'prom-client';
import type { ReadMetric } from '../../http/live/measure/requestCounts.ts';
import type { RecordedBreak } from '../../playback/decide/recordedBreak.ts';
import type { ReportEvent } from '../../reports/event.ts';
import {
  type AdRequestCounts,
  adRequestCounts,
  type ChannelCounts,
  channelCounts,
  countAdRequest,
  histogramSamples,
  increment,
} from './adCounts.ts';
import { boundedNames } from './boundedNames.ts';
import { registerRead } from './readMetric.ts';

export type AdObserver = {
  event(event: ReportEvent): void;
  decided(recorded: RecordedBreak): void;
};

/** Of the channels that had an event last; values of others begin again at 0. */
export const MAX_CHANNELS = 2000;
export const MAX_HOSTS = 50;

type Values = ReturnType<ReadMetric['values']>;
type Known = { readonly labels: { readonly tenant: string; readonly channel: string }; readonly counts: ChannelCounts };

const outcomeOf = (event: Extract<ReportEvent, { type: 'adRequest' }>): string =>
  event.isInvalid ? 'invalid' : event.outcome === 'answered' ? 'ads' : event.outcome;

const lengthOf = (ranges: readonly { readonly ms: number }[]): number =>
  ranges.reduce((sum, { ms }) => sum + ms, 0) / 1000;

export function adMetrics(registry: Registry): AdObserver {
  const channels = new LRUCache<string, Known>({ max: MAX_CHANNELS });
  const hosts = new Map<string, AdRequestCounts>();
  const skipped = new Map<string, number>();
  const hostName = boundedNames(MAX_HOSTS);

  function ofChannel(channel: string, tenant = ''): ChannelCounts {
    const key = `${tenant}/${channel}`;
    const known = channels.get(key);
    if (known !== undefined) return known.counts;
    const counts = channelCounts();
    channels.set(key, { labels: { tenant, channel }, counts });
    return counts;
  }

  function ofHost(name: string): AdRequestCounts {
    const host = hostName(name);
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
    ...{ name: `midroll_${name}`, help, type, values },
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
    event(event) {
      if (event.type === 'adRequest') {
        const { channel, tenant, adServer, ms } = event;
        const outcome = outcomeOf(event);
        countAdRequest(ofChannel(channel, tenant), outcome, ms / 1000);
        countAdRequest(ofHost(adServer), outcome, ms / 1000);
      } else if (event.type === 'breakDecided') {
        const counts = ofChannel(event.channel, event.tenant);
        counts.breakSeconds += event.ms / 1000;
        counts.adSeconds += lengthOf(event.ads);
        counts.slateSeconds += lengthOf(event.slate);
      } else if (event.type === 'sessionOpened') ofChannel(event.channel, event.tenant).sessions += 1;
      else if (event.type === 'adSkipped') increment(skipped, event.reason);
    },
    decided({ airing: { channel }, record: { status, reason } }) {
      const counts = ofChannel(channel.id, channel.tenant);
      increment(counts.decisions, status);
      if (status !== 'filled') increment(counts.reasons, reason?.code ?? 'ADS_SKIPPED');
    },
  };
}
