// SPDX-License-Identifier: Apache-2.0
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createRequestCounts } from '../../http/live/measure/requestCounts.ts';
import { registerRead } from './observeServing.ts';

test('what is counted elsewhere is in both forms of a registry, histograms too', async () => {
  const registry = new Registry();
  const counts = createRequestCounts();
  registerRead(registry, counts.metrics);
  counts.add(0, 200, 3);
  counts.add(0, 200, 3);
  const text = await registry.metrics();
  expect(text).toContain('# TYPE midroll_live_request_seconds histogram');
  expect(text).toMatch(/^midroll_live_request_seconds_bucket\{le="\+Inf",.*\} 2$/m);
  expect(text).toMatch(/^midroll_live_request_seconds_count\{.*\} 2$/m);
  const [json] = (await registry.getMetricsAsJSON()).filter(({ name }) => name === 'midroll_live_request_seconds');
  expect(json).toMatchObject({ type: 'histogram', aggregator: 'sum' });
});
