// SPDX-License-Identifier: Apache-2.0
// Health, readiness and metrics, for load balancers, orchestrators and Prometheus. They require no API key.
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

export type StatusDeps = {
  readonly metrics: Registry;
  /** The metrics as text; default: those of this process. */
  readonly readMetrics?: (own: Registry) => Promise<string>;
  /** Why the process should not receive requests, such as an unavailable dependency or a shutdown; undefined if it is ready. */
  readonly notReady: () => Promise<string | undefined>;
  /** What does not work although the process can serve requests; undefined if everything works. */
  readonly degraded?: () => string | undefined;
};

export function addStatusRoutes(app: FastifyInstance, { notReady, degraded, metrics, readMetrics }: StatusDeps): void {
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
