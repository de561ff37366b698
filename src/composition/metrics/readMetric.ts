// SPDX-License-Identifier: Apache-2.0
// Metrics whose values are counted elsewhere and read when a registry is read.
import type { Metric, Registry } from 'prom-client';
import type { ReadMetric } from '../../http/live/measure/requestCounts.ts';

export function registerRead(registry: Registry, metrics: readonly ReadMetric[]): void {
  for (const { values, ...metric } of metrics) {
    const readable = { ...metric, get: () => ({ ...metric, values: values() }), reset: () => {} };
    // A registry uses nothing but these fields of a metric.
    registry.registerMetric(readable as unknown as Metric);
  }
}
