// SPDX-License-Identifier: Apache-2.0
// Metrics whose values are counted elsewhere and read when a registry is read.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ReadMetric } from '../../http/live/measure/requestCounts.ts';

const kinds = { counter: Counter, gauge: Gauge, histogram: Histogram } as const;

export function registerRead(registry: Registry, metrics: readonly ReadMetric[]): void {
  for (const { name, help, type, values } of metrics) {
    const metric = new kinds[type]({ name, help, registers: [registry] });
    const described = metric.get.bind(metric);
    metric.get = async () => ({ ...(await described()), values: [...values()] });
  }
}
