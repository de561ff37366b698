// SPDX-License-Identifier: Apache-2.0
// Health, readiness and metrics, for load balancers, orchestrators and Prometheus. They require no API key.
import type { FastifyInstance } from 'fastify';
import type { AdminDeps } from './ports.ts';

export function addStatusRoutes(app: FastifyInstance, { notReady, degraded, metrics, readMetrics }: AdminDeps): void {
  app.get('/health', async () => ({ status: 'ok' }));
  app.get('/ready', async (_request, reply) => {
    const reason = await notReady().catch(() => 'a dependency is unavailable');
    return reason === undefined
      ? { status: 'ready', degraded: degraded?.() }
      : reply.status(503).send({ status: 'unavailable', reason });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await (readMetrics?.(metrics) ?? metrics.metrics())),
  );
}
