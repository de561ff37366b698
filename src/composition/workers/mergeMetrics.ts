// SPDX-License-Identifier: Apache-2.0
// Merges the metrics of several processes, so that one scrape has all. Metrics of Midroll are combined; those of a process
// (`process_`, `nodejs_`) stay apart, with the label `worker`.

export type Sample = {
  readonly metricName?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
};

/** As a registry of prom-client returns it as JSON. */
export type MetricValues = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator?: string;
  readonly values: readonly Sample[];
};

export type ProcessMetrics = {
  /** Absent for the process with the administrative port. */
  readonly worker?: string;
  readonly metrics: readonly MetricValues[];
};

const combine: Readonly<Record<string, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  max: Math.max,
  min: Math.min,
  first: (a) => a,
};

const isOfProcess = (name: string): boolean => name.startsWith('process_') || name.startsWith('nodejs_');

const keyOf = ({ metricName = '', labels = {} }: Sample): string =>
  JSON.stringify([metricName, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);

const labelled = (worker: string | undefined, samples: readonly Sample[]): readonly Sample[] =>
  worker === undefined ? samples : samples.map((one) => ({ ...one, labels: { ...one.labels, worker } }));

function mergeSamples(aggregator: string | undefined, lists: readonly (readonly Sample[])[]): Sample[] {
  const merge = combine[aggregator ?? 'sum'] ?? combine.sum!;
  const merged = new Map<string, Sample>();
  for (const sample of lists.flat()) {
    const key = keyOf(sample);
    const known = merged.get(key);
    merged.set(key, known === undefined ? sample : { ...known, value: merge(known.value, sample.value) });
  }
  return [...merged.values()];
}

/** In the order of the first process, then metrics that only others have. */
export function mergeMetrics(parts: readonly ProcessMetrics[]): MetricValues[] {
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
export const lastingMetrics = (metrics: readonly MetricValues[]): MetricValues[] =>
  metrics.filter(({ name, type }) => !isOfProcess(name) && (type === 'counter' || type === 'histogram'));
