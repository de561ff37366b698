// SPDX-License-Identifier: Apache-2.0
// Attempts to deliver to webhooks as a metric. Those that are due are in queueMetrics.ts.
import { Counter, type Registry } from 'prom-client';
import type { AttemptOutcome } from '../../alerts/webhooks/sendDeliveries.ts';

/** @returns counts an attempt */
export function countAttempts(metrics: Registry): (outcome: AttemptOutcome) => void {
  const attempts = new Counter({
    name: 'midroll_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks by outcome: delivered, retry (attempted again later) or failed (given up)',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  });
  return (outcome) => attempts.inc({ outcome });
}
