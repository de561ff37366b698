// SPDX-License-Identifier: Apache-2.0
// How many series metrics have with 500 channels, when everything that they count has happened on each. docs/monitoring.md has the
// same table.
import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { observeChannels, registerRead, viewerMetric } from '../../composition/metrics/observeServing.ts';
import { routeClasses } from '../../http/live/liveOperation.ts';
import { createRequestCounts } from '../../http/live/measure/requestCounts.ts';
import type { RecordedBreak } from '../../playback/decide/decisionRecorder.ts';
import { millis } from '../../time/units.ts';
import { AD_REQUEST_BOUNDS, adMetrics, MAX_CHANNELS, MAX_HOSTS, MAX_SOURCES } from './adMetrics.ts';
import { skipReasons } from './rules/catalogue.ts';
import type { ReportEvent } from './rules/event.ts';

const CHANNELS = 500;
const OUTCOMES = ['answered', 'empty', 'error', 'timeout'] as const;
const SOURCE_OUTCOMES = [...OUTCOMES, 'notSent'] as const;
const STATUSES = ['filled', 'partial', 'empty'] as const;
/** The codes of reasons of breaks. */
const REASONS = [
  ...['AD_SERVER_TIMEOUT', 'AD_SERVER_FAILED', 'AD_SERVER_NOT_ASKED', 'VAST_UNREADABLE', 'NO_ADS', 'NO_AD_SHOWN'],
  ...['NO_AD_SERVER', 'DECISION_FAILED', 'NOT_DECIDED_IN_TIME', 'STORE_AWAY', 'ADS_SKIPPED', 'TOO_FEW_ADS'],
  'NAMES_BREAKS',
];
/** Samples of a histogram: its buckets, their sum and their count. */
const samples = (bounds: number) => bounds + 3;

const seriesOf = async (registry: Registry): Promise<Record<string, number>> => {
  const metrics = await registry.getMetricsAsJSON();
  return Object.fromEntries(metrics.map(({ name, values }) => [name, values.length]));
};

async function happen(channels: number, hosts: number) {
  const registry = new Registry();
  const observer = adMetrics(registry);
  const ids = Array.from({ length: channels }, (_, index) => ({ tenant: 'default', channel: `channel-${index}` }));
  const event = (one: object) => observer.event({ at: millis(0), ...one } as ReportEvent);
  for (const [index, of] of ids.entries()) {
    const adServer = `ads-${index % hosts}.test`;
    for (const outcome of OUTCOMES) event({ ...of, type: 'adRequest', adServer, outcome, ms: 80 });
    event({ ...of, type: 'adRequest', adServer, outcome: 'error', isInvalid: true, ms: 80 });
    for (const outcome of SOURCE_OUTCOMES)
      event({ ...of, type: 'sourceRequested', source: `source-${index}`, outcome, requestedMs: 0 });
    event({ ...of, type: 'breakDecided', ms: 8000, ads: [{ at: 0, ms: 4000 }], slate: [{ at: 0, ms: 4000 }] });
    event({ ...of, type: 'sessionOpened' });
    for (const reason of Object.keys(skipReasons)) event({ ...of, type: 'adSkipped', creative: 'c', reason });
    for (const status of STATUSES)
      for (const code of REASONS) {
        const airing = { channel: { id: of.channel, tenant: of.tenant } };
        observer.decided({ airing, record: { status, reason: { code, text: '' } } } as unknown as RecordedBreak);
      }
  }
  observeChannels(registry, {
    channels: () => [],
    hasFailed: () => false,
    viewers: () => ids.map((of) => ({ ...of, known: 2 })),
  });
  const measureViewers = viewerMetric({
    metrics: registry,
    channels: () => ids.map(({ tenant, channel: id }) => ({ tenant, id })),
    countViewers: async () => new Map(),
  });
  await measureViewers();
  const counts = createRequestCounts();
  registerRead(registry, counts.metrics);
  for (let route = 0; route < routeClasses.length; route += 1)
    for (const status of [200, 302, 404, 503]) counts.add(route, status, 3);
  return registry;
}

const bounds = {
  midroll_ad_request_seconds: CHANNELS * samples(AD_REQUEST_BOUNDS.length),
  midroll_ad_requests_total: CHANNELS * 5,
  midroll_ad_host_request_seconds: (MAX_HOSTS + 1) * samples(AD_REQUEST_BOUNDS.length),
  midroll_ad_host_requests_total: (MAX_HOSTS + 1) * 5,
  midroll_ad_seconds_total: CHANNELS,
  midroll_ad_source_requests_total: (MAX_SOURCES + 1) * SOURCE_OUTCOMES.length,
  midroll_ads_skipped_total: Object.keys(skipReasons).length,
  midroll_break_seconds_total: CHANNELS,
  midroll_channels: 5,
  midroll_decisions_not_filled_total: CHANNELS * REASONS.length,
  midroll_decisions_total: CHANNELS * STATUSES.length,
  midroll_live_request_seconds: routeClasses.length * 4 * samples(12),
  midroll_live_manifests_waited_total: 2,
  midroll_sessions_in_memory: CHANNELS,
  midroll_sessions_opened_total: CHANNELS,
  midroll_slate_seconds_total: CHANNELS,
  midroll_viewers: CHANNELS,
};

test('series of 500 channels are as many as the formulas state, and as the page lists', async () => {
  const series = await seriesOf(await happen(CHANNELS, 400));
  expect(series).toEqual({ ...bounds, midroll_live_unavailable_total: 0 });
  const page = readFileSync(new URL('../../../docs/monitoring.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(midroll_\w+)` \| [^|]*\| ([\d,]+) \|$/gm)].map(([, name, count]) => [
    name,
    Number(count!.replaceAll(',', '')),
  ]);
  expect(Object.fromEntries(listed)).toEqual(bounds);
});

test('any number of channels and hosts has a bounded number of series', async () => {
  const series = await seriesOf(await happen(MAX_CHANNELS + 700, 3000));
  expect(series.midroll_ad_requests_total).toBe(MAX_CHANNELS * 5);
  expect(series.midroll_ad_host_requests_total).toBe((MAX_HOSTS + 1) * 5);
  expect(series.midroll_ad_source_requests_total).toBe((MAX_SOURCES + 1) * 5);
});
