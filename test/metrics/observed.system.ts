// SPDX-License-Identifier: Apache-2.0
// A node with several processes, a channel, viewers and ads, as a site-reliability engineer sees it: metrics, traces and the log.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { startMidroll } from '../live/midroll.ts';
import { adSource, item, openStageOf } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { readText, readYaml } from '../repositoryFiles.ts';
import { type MetricLine, scrape, sumOf } from './readMetrics.ts';
import { startTraceReceiver } from './traceReceiver.ts';

const secrets = {
  SECRET_KEY: 'the-secret-of-systems',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=the-secret-of-traces',
};
const inRequests = ['the-key-of-a-channel', 'the-token-of-ads', 'a-wrong-key-of-the-api', 'the-key-in-a-query'];

const WAIT = { timeout: 300_000, interval: 500 };
let metrics: MetricLine[];
const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

const receiver = await opened(startTraceReceiver());
const midroll = await startMidroll({
  ...{ WORKERS: '2', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: '1' },
  ...secrets,
});
const stage = await opened(openStageOf(midroll));
beforeAll(async () => {
  const spot = await stage.spot(4);
  stage.adHost.offer('/ads', () => [{ id: 'spot', seconds: 4, url: spot }]);
  const video = await stage.video({ seconds: 16 });
  const source = adSource(stage.adHost, '/ads');
  await stage.air('news', [item(video, { spliceTime: 4, maxDuration: 8 })], {
    ...{ apiKey: inRequests[0], adSource: { url: `${source.url}&token=${inRequests[1]}` } },
  });
  for (let count = 0; count < 3; count += 1) await stage.watch('news', { apiKey: inRequests[0]!, fetches: false });
  await vi.waitFor(
    async () => expect(sumOf(await scrape(midroll.adminUrl), 'midroll_ad_seconds_total')).toBeGreaterThan(0),
    WAIT,
  );
  await fetch(`${midroll.liveUrl}/hls/unknown/${inRequests[3]}/v0.m3u8?api-key=${inRequests[3]}`);
  await fetch(`${midroll.adminUrl}/api/v2/channels`, { headers: { 'x-api-key': inRequests[2]! } });
  const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;
  await fetch(`${midroll.adminUrl}/api/v2/playlists`, { headers: { 'x-api-key': 'test-key', traceparent } });
  await vi.waitFor(async () => expect(sumOf(await scrape(midroll.adminUrl), 'midroll_viewers')).toBe(3), WAIT);
  metrics = await scrape(midroll.adminUrl);
});

test('one scrape has the metrics of all processes', () => {
  const workers = metrics.filter(({ name }) => name === 'process_cpu_seconds_total').map(({ labels }) => labels.worker);
  expect(workers.sort()).toEqual(['1', '2', undefined]);
  // The administrative process serves no manifests.
  const ok = { route: 'media', format: 'hls', status: '2xx' };
  expect(sumOf(metrics, 'midroll_live_request_seconds_count', ok)).toBeGreaterThan(10);
  expect(sumOf(metrics, 'midroll_live_request_seconds_count', { route: 'media', status: '4xx' })).toBeGreaterThan(0);
  expect(sumOf(metrics, 'midroll_sessions_opened_total', { tenant: 'default', channel: 'news' })).toBe(3);
  expect(sumOf(metrics, 'midroll_channels', { state: 'onAir' })).toBe(1);
  const host = new URL(stage.adHost.url).host;
  expect(sumOf(metrics, 'midroll_ad_host_requests_total', { host, outcome: 'ads' })).toBeGreaterThan(0);
  expect(sumOf(metrics, 'midroll_decisions_total', { channel: 'news' })).toBeGreaterThan(0);
  expect(sumOf(metrics, 'midroll_creative_job_seconds_count', { kind: 'creative', result: 'ready' })).toBe(1);
  expect(sumOf(metrics, 'midroll_database_available')).toBe(1);
});

test('no label contains a session, an address or a secret', () => {
  const values = new Set(metrics.flatMap(({ labels }) => Object.values(labels)));
  const text = [...values].join('\n');
  expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
  for (const secret of [...Object.values(secrets), ...inRequests]) expect(text).not.toContain(secret);
});

type Rule = { readonly expr: string };
const [alerts] = readYaml('deploy/prometheus/alerts.yml') as { groups: readonly { rules: readonly Rule[] }[] }[];
type Panel = { readonly targets?: readonly { readonly expr: string }[] };
const dashboard = JSON.parse(readText('deploy/grafana/midroll.json')) as { panels: readonly Panel[] };
const expressions = [
  ...alerts!.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];
/** Series of the unit tests of the rules. */
const unitTests = [...readText('deploy/prometheus/alerts.test.yml').matchAll(/series: '([^']+)'/g)].map(
  ([, one]) => one!,
);
const fromPrometheus = new Set(['job', 'instance']);

test('rules, their tests and the dashboard use labels that the metrics have', () => {
  const known = new Map<string, Set<string>>();
  for (const { name, labels } of metrics)
    known.set(name, new Set([...(known.get(name) ?? []), ...Object.keys(labels)]));
  const wrong = [...expressions, ...unitTests].flatMap((text) =>
    [...text.matchAll(/\b((?:midroll|process|nodejs)_\w+)\{([^}]*)\}/g)].flatMap(([, name, selector]) => {
      const labels = known.get(name!);
      // Without samples; test/deploy/monitoring.system.ts compares the names, and the page lists the labels.
      if (labels === undefined) return [];
      const used = [...selector!.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!);
      return used
        .filter((label) => !fromPrometheus.has(label) && !labels.has(label))
        .map((label) => `${name} ${label}`);
    }),
  );
  expect(wrong).toEqual([]);
  expect(expressions.join('\n')).toContain('midroll_live_request_seconds_count{');
});

test('spans of requests, ad requests and conditioning arrive at the collector', async () => {
  const found = (name: string) => receiver.spans.filter((span) => span.name === name);
  await expect.poll(() => found('GET /api/v2/playlists').map(({ traceId }) => traceId)).toContain(parent.traceId);
  expect(found('GET /api/v2/playlists')).toContainEqual(expect.objectContaining({ parentSpanId: parent.spanId }));
  await expect.poll(() => found('conditioning job').length).toBeGreaterThan(0);
  const ads = found('ad request');
  expect(ads[0]!.attributes).toEqual({
    'http.request.method': 'GET',
    'server.address': new URL(stage.adHost.url).host,
    'http.response.status_code': 200,
  });
  const live = found('live request');
  expect(live.map(({ attributes }) => attributes['http.route'])).toContain('media');
  const ids = new Set(live.map(({ spanId }) => spanId));
  expect(ads.some(({ parentSpanId }) => parentSpanId !== undefined && ids.has(parentSpanId))).toBe(true);
  expect(receiver.headers().authorization).toBe('the-secret-of-traces');
  const text = JSON.stringify(receiver.spans);
  for (const secret of [...Object.values(secrets), ...inRequests]) expect(text).not.toContain(secret);
});

test('lines of a traced request have the id of its trace', () => {
  const lines = midroll.logged('request').filter(({ route }) => route === '/api/v2/playlists');
  expect(lines.map(({ trace_id }) => trace_id)).toContain(parent.traceId);
});

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
const isProgram = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js');

test('sums do not sink when a process is killed and replaced', async () => {
  const ofMedia = { route: 'media', status: '2xx' };
  const before = sumOf(await scrape(midroll.adminUrl), 'midroll_live_request_seconds_count', ofMedia);
  const [killed] = childrenOf(midroll.pid()).filter(isProgram);
  process.kill(killed!, 'SIGKILL');
  const alive = () => childrenOf(midroll.pid()).filter(isProgram);
  await expect.poll(() => alive().length === 2 && !alive().includes(killed!)).toBe(true);
  const started = async () =>
    (await scrape(midroll.adminUrl))
      .filter(({ name }) => name === 'process_cpu_seconds_total')
      .map(({ labels }) => labels.worker)
      .sort();
  await expect.poll(started).toEqual(['1', '2', undefined]);
  const after = sumOf(await scrape(midroll.adminUrl), 'midroll_live_request_seconds_count', ofMedia);
  expect(after).toBeGreaterThanOrEqual(before);
});

test('the sizes of what viewers share are read when they are scraped', () => {
  const size = (cache: string) => sumOf(metrics, 'midroll_cache_entries', { cache });
  expect(['clips', 'placements'].map((cache) => size(cache) > 0)).toEqual([true, true]);
  expect(['periodForms', 'vodAds', 'vodManifests'].map(size)).toEqual([expect.any(Number), 0, 0]);
});
