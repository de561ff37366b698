// SPDX-License-Identifier: Apache-2.0
// The registry of a process, with the metrics of Node.js and the version of Midroll.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '../../version.ts';

export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'midroll_build_info',
    help: 'Always 1; the label is the version of Midroll',
    labelNames: ['version'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version }, 1);
  return registry;
}
