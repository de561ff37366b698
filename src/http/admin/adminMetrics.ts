// SPDX-License-Identifier: Apache-2.0
// Measures and logs every request, one line each, under the pattern of its route. Headers, bodies and query strings are
// not logged: they contain secrets.
import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

/** Requested every few seconds by load balancers and Prometheus. */
const loggedAtDebug = new Set(['/health', '/ready', '/metrics']);

export function measureRequests(app: FastifyInstance, metrics: Registry): void {
  const durations = new Histogram({
    name: 'midroll_admin_request_seconds',
    help: 'Duration of requests to the administrative port in seconds',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const status = reply.statusCode;
    const route = request.routeOptions.url ?? 'none';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    durations.observe({ method, route, status }, ms / 1000);
    const line = { reqId: request.id, method, route, status, ms, tenant: request.caller?.tenant };
    if (status >= 500) app.log.error(line, 'request');
    else if (loggedAtDebug.has(route)) app.log.debug(line, 'request');
    else app.log.info(line, 'request');
  });
}
