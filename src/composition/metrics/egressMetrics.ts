// SPDX-License-Identifier: Apache-2.0
import { Counter, type Registry } from 'prom-client';
import type { EgressRefused } from '../../adapters/http/egressGuard.ts';

/** @returns what counts a refusal. The names of address ranges are fixed. */
export function egressMetrics(registry: Registry): (refusal: EgressRefused) => void {
  const refused = new Counter({
    name: 'midroll_egress_refused_total',
    help: 'Outgoing connections that were refused because of their address, by the range of the address',
    labelNames: ['range'] as const,
    registers: [registry],
  });
  return ({ range = 'invalid' }) => refused.inc({ range });
}
