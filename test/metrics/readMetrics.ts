// SPDX-License-Identifier: Apache-2.0
// Reads the text format of Prometheus.

export type MetricLine = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export const readMetricLines = (text: string): MetricLine[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });

export async function scrape(url: string): Promise<MetricLine[]> {
  const response = await fetch(`${url}/metrics`);
  if (!response.ok) throw new Error(`/metrics returned ${response.status}`);
  return readMetricLines(await response.text());
}

/** The sum of the values of a metric with these labels. */
export const sumOf = (lines: readonly MetricLine[], name: string, labels: MetricLine['labels'] = {}): number =>
  lines
    .filter((line) => line.name === name && Object.entries(labels).every(([key, value]) => line.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
