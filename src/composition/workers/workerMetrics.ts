// SPDX-License-Identifier: Apache-2.0
// With WORKERS, the process with the administrative port reads the metrics of those that share the live port, when it is scraped.
import type { EventEmitter } from 'node:events';
import { Registry } from 'prom-client';
import { lastingMetrics, type MetricValues, mergeMetrics } from './mergeMetrics.ts';

type Request = { readonly readMetrics: number };
type Reply = { readonly metricsOf: number; readonly metrics: readonly MetricValues[] };

const isRequest = (message: unknown): message is Request =>
  typeof (message as Partial<Request> | null)?.readMetrics === 'number';
const isReply = (message: unknown): message is Reply =>
  typeof (message as Partial<Reply> | null)?.metricsOf === 'number';

/** A process that does not reply in time is shown as it was at its last reply. */
const REPLY_TIMEOUT_MS = 2000;

/** One of the processes that share the live port. */
export type MetricsWorker = Pick<EventEmitter, 'on'> & {
  send(message: Request): unknown;
  isConnected(): boolean;
};

export type WorkerMetrics = {
  /** @param number its place among the workers, which its replacement gets again */
  add(number: number, worker: MetricsWorker): void;
  /** The metrics of this process and of all workers, as text. */
  read(own: Registry): Promise<string>;
};

type Known = { readonly worker: MetricsWorker; last: readonly MetricValues[] };

export function createWorkerMetrics(timeoutMs = REPLY_TIMEOUT_MS): WorkerMetrics {
  const workers = new Map<number, Known>();
  const waiting = new Map<number, (metrics: readonly MetricValues[]) => void>();
  let ended: MetricValues[] = [];
  let requests = 0;

  function ask(known: Known): Promise<void> {
    if (!known.worker.isConnected()) return Promise.resolve();
    requests += 1;
    const id = requests;
    return new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      waiting.set(id, (metrics) => {
        known.last = metrics;
        end();
      });
      known.worker.send({ readMetrics: id });
    });
  }

  return {
    add(number, worker) {
      const known: Known = { worker, last: [] };
      workers.set(number, known);
      worker.on('message', (message: unknown) => {
        if (isReply(message)) waiting.get(message.metricsOf)?.(message.metrics);
      });
      worker.on('exit', () => {
        ended = mergeMetrics([{ metrics: ended }, { metrics: lastingMetrics(known.last) }]);
        if (workers.get(number) === known) workers.delete(number);
      });
    },
    async read(own) {
      await Promise.all([...workers.values()].map(ask));
      const metrics = mergeMetrics([
        { metrics: (await own.getMetricsAsJSON()) as unknown as MetricValues[] },
        ...[...workers].map(([number, { last }]) => ({ worker: String(number), metrics: last })),
        { metrics: ended },
      ]);
      return writeMetrics(metrics);
    },
  };
}

async function writeMetrics(metrics: readonly MetricValues[]): Promise<string> {
  const registry = new Registry();
  for (const metric of metrics)
    registry.registerMetric({ name: metric.name, get: () => metric } as unknown as Parameters<
      Registry['registerMetric']
    >[0]);
  return registry.metrics();
}

/** In a worker: replies to requests for its metrics. */
export function answerMetrics(metrics: Registry): void {
  process.on('message', async (message) => {
    if (!isRequest(message)) return;
    const values = (await metrics.getMetricsAsJSON()) as unknown as MetricValues[];
    if (process.connected) process.send?.({ metricsOf: message.readMetrics, metrics: values } satisfies Reply);
  });
}
