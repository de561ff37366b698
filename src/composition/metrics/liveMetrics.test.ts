// SPDX-License-Identifier: Apache-2.0
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { liveFeedOf } from '../../../test/stores/records.ts';
import type { FeedCondition } from '../../playback/live/feedKeeper.ts';
import { millis } from '../../time/units.ts';
import { liveDefects, observeOrigins } from './liveMetrics.ts';

const feed = liveFeedOf('news', 'l');
const labels = 'tenant="acme",channel="news",origin="hls"';

test('shows the origins that this process reads, and no others', async () => {
  const metrics = new Registry();
  let conditions: FeedCondition[] = [];
  observeOrigins(metrics, () => conditions);
  const lines = async () =>
    (await metrics.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(await lines()).toEqual([]);
  conditions = [{ feed, health: {}, standing: { isAway: false, since: millis(5000) } }];
  expect(await lines()).toEqual([
    `midroll_live_origin_state{${labels},state="ok"} 1`,
    `midroll_live_origin_on_air{${labels},on_air="source"} 1`,
    `midroll_live_origin_since_seconds{${labels}} 5`,
  ]);
  const failure = { sentence: 'Status 503.', since: millis(8000), count: 3 };
  conditions = [{ feed, health: { failure }, standing: { isAway: true, since: millis(14_000) } }];
  expect(await lines()).toEqual([
    `midroll_live_origin_state{${labels},state="failing"} 1`,
    `midroll_live_origin_on_air{${labels},on_air="slate"} 1`,
    `midroll_live_origin_since_seconds{${labels}} 8`,
  ]);
  conditions = [];
  expect(await lines()).toEqual([]);
});

test('counts defects of Midroll from 0 on', async () => {
  const metrics = new Registry();
  const count = liveDefects(metrics);
  const value = async () =>
    (await metrics.metrics()).split('\n').find((line) => line.startsWith('midroll_live_defects'));
  count(feed, 0);
  expect(await value()).toBe(`midroll_live_defects_total{${labels}} 0`);
  count(feed, 1);
  expect(await value()).toBe(`midroll_live_defects_total{${labels}} 1`);
});
