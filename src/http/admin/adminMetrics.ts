// SPDX-License-Identifier: Apache-2.0
// Measures and logs every request, one line each, under the pattern of its route. Headers, bodies and query strings are
// not logged: they contain secrets.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import type { Span, Tracer } from '../../tracing/tracer.ts';

/** Requested every few seconds by load balancers and Prometheus. */
const loggedAtDebug = new Set(['/health', '/ready', '/metrics']);

const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'none';

/** @returns the spans of requests in progress */
function traceRequests(app: FastifyInstance, tracer: Tracer): WeakMap<FastifyRequest, Span> {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = routeOf(request);
    if (loggedAtDebug.has(route)) return done();
    const { method, headers } = request;
    const facts = { 'http.request.method': method, 'http.route': route };
    const parent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined;
    const span = tracer.begin(`${method} ${route}`, 'server', facts, parent);
    spans.set(request, span);
    span.run(done);
  });
  return spans;
}

export function measureRequests(app: FastifyInstance, metrics: Registry, tracer?: Tracer): void {
  const spans = tracer && traceRequests(app, tracer);
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
    const route = routeOf(request);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    durations.observe({ method, route, status }, ms / 1000);
    const line = { reqId: request.id, method, route, status, ms, tenant: request.caller?.tenant };
    const level = status >= 500 ? 'error' : loggedAtDebug.has(route) ? 'debug' : 'info';
    const span = spans?.get(request);
    if (span === undefined) return app.log[level](line, 'request');
    span.run(() => app.log[level](line, 'request'));
    span.set({ 'http.response.status_code': status });
    span.end(status >= 500 ? `Status ${status}` : undefined);
  });
}
