// SPDX-License-Identifier: Apache-2.0
// With WORKERS, the process with the administrative port reads the metrics of those that share the live port, when it is scraped.
import type { EventEmitter } from 'node:events';
import { Registry } from 'prom-client';

type Request = { readonly readMetrics: number };
type Reply = { readonly metricsOf: number; readonly metrics: readonly MetricValues[] };

const isRequest = (message: unknown): message is Request =>
  typeof (message as Partial<Request> | null)?.readMetrics === 'number';
const isReply = (message: unknown): message is Reply =>
  typeof (message as Partial<Reply> | null)?.metricsOf === 'number';

/** A process that does not reply in time is shown as it was at its last reply. */
const REPLY_TIMEOUT_MS = 2000;

/** One of the processes that share the live port. */
type MetricsWorker = Pick<EventEmitter, 'on'> & {
  send(message: Request): unknown;
  isConnected(): boolean;
};

type Known = { readonly worker: MetricsWorker; last: readonly MetricValues[] };

export function createWorkerMetrics() {
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
      const timer = setTimeout(end, REPLY_TIMEOUT_MS);
      waiting.set(id, (metrics) => {
        known.last = metrics;
        end();
      });
      known.worker.send({ readMetrics: id });
    });
  }

  return {
    /** @param number its place among the workers, which its replacement gets again */
    add(number: number, worker: MetricsWorker): void {
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
    /** The metrics of this process and of all workers, as text. */
    async read(own: Registry): Promise<string> {
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
  for (const metric of metrics) {
    const registered: unknown = { name: metric.name, get: () => metric };
    registry.registerMetric(registered as Parameters<Registry['registerMetric']>[0]);
  }
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

// Merges the metrics of several processes, so that one scrape has all. Metrics of Midroll are combined; those of a process
// (`process_`, `nodejs_`) stay apart, with the label `worker`.

type Sample = {
  readonly metricName?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
};

/** A metric as a registry of prom-client returns it as JSON. */
type MetricValues = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator?: string;
  readonly values: readonly Sample[];
};

type ProcessMetrics = {
  /** Absent for the process with the administrative port. */
  readonly worker?: string;
  readonly metrics: readonly MetricValues[];
};

const sum = (a: number, b: number): number => a + b;

const combine: Readonly<Record<string, typeof sum>> = { sum, max: Math.max, min: Math.min, first: (a) => a };

const isOfProcess = (name: string): boolean => name.startsWith('process_') || name.startsWith('nodejs_');

const keyOf = ({ metricName = '', labels = {} }: Sample): string =>
  JSON.stringify([metricName, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);

const labelled = (worker: string | undefined, samples: readonly Sample[]): readonly Sample[] =>
  worker === undefined ? samples : samples.map((one) => ({ ...one, labels: { ...one.labels, worker } }));

function mergeSamples(aggregator: string | undefined, lists: readonly (readonly Sample[])[]): Sample[] {
  const merge = combine[aggregator ?? 'sum'] ?? sum;
  const merged = new Map<string, Sample>();
  for (const sample of lists.flat()) {
    const key = keyOf(sample);
    const known = merged.get(key);
    merged.set(key, known === undefined ? sample : { ...known, value: merge(known.value, sample.value) });
  }
  return [...merged.values()];
}

/** In the order of the first process, then metrics that only others have. */
function mergeMetrics(parts: readonly ProcessMetrics[]): MetricValues[] {
  const byName = new Map<string, { readonly metric: MetricValues; readonly lists: (readonly Sample[])[] }>();
  for (const { worker, metrics } of parts)
    for (const metric of metrics) {
      const known = byName.get(metric.name) ?? { metric, lists: [] };
      byName.set(metric.name, known);
      known.lists.push(isOfProcess(metric.name) ? labelled(worker, metric.values) : metric.values);
    }
  return [...byName.values()].map(({ metric, lists }) => ({
    ...metric,
    values: isOfProcess(metric.name) ? lists.flat() : mergeSamples(metric.aggregator, lists),
  }));
}

/**
 * What remains of a process that has ended: its counters and histograms. Without them, sums would sink, and Prometheus would count
 * all of what is left as an increase.
 */
const lastingMetrics = (metrics: readonly MetricValues[]): MetricValues[] =>
  metrics.filter(({ name, type }) => !isOfProcess(name) && (type === 'counter' || type === 'histogram'));
