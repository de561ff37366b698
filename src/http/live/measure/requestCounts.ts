// SPDX-License-Identifier: Apache-2.0
// Counts the requests of the live port. Players send thousands of them in a second, so a request adds to numbers in arrays; labels
// and texts are made when the metrics are read.
import type { UnavailablePart } from '../../../errors.ts';
import { MEDIA_ROUTE, MPD_ROUTE, routeClassAt, routeClasses } from '../liveOperation.ts';

/** A metric in the form in which a registry of prom-client reads it. */
export type ReadMetric = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: 'sum';
  readonly values: () => readonly {
    readonly metricName?: string;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly value: number;
  }[];
};

export type RequestCounts = {
  /** @param routeClass index in `routeClasses`. @param status of the response. @param ms from the request to the response */
  add(routeClass: number, status: number, ms: number): void;
  /** A manifest could not be written from memory: it waited for a store or for the origin of a live channel. */
  waited(routeClass: number): void;
  /** A request got a 503. */
  unavailable(part: UnavailablePart): void;
  readonly metrics: readonly ReadMetric[];
};

/** Milliseconds. */
const BOUNDS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000] as const;
const BUCKETS = BOUNDS.length + 1;
/** 1xx to 5xx. */
const STATUSES = 5;

const REQUESTS = 'midroll_live_request_seconds';

const at = (numbers: Float64Array, index: number): number => numbers[index] ?? 0;

function add(numbers: Float64Array, index: number, value: number): void {
  numbers[index] = at(numbers, index) + value;
}

export function createRequestCounts(): RequestCounts {
  const counts = new Float64Array(routeClasses.length * STATUSES * BUCKETS);
  const sums = new Float64Array(routeClasses.length * STATUSES);
  const waits = new Float64Array(routeClasses.length);
  const refusals = new Map<UnavailablePart, number>();

  function requestValues() {
    const values: ReturnType<ReadMetric['values']>[number][] = [];
    for (const [index, { route, format }] of routeClasses.entries())
      for (let status = 0; status < STATUSES; status += 1) {
        const group = index * STATUSES + status;
        const own = counts.subarray(group * BUCKETS, (group + 1) * BUCKETS);
        const labels = { route, format, status: `${status + 1}xx` };
        let total = 0;
        const buckets = Array.from(own, (count, bucket) => {
          total += count;
          const bound = BOUNDS[bucket];
          const le = bound === undefined ? '+Inf' : bound / 1000;
          return { metricName: `${REQUESTS}_bucket`, labels: { le, ...labels }, value: total };
        });
        if (total === 0) continue;
        values.push(
          ...buckets,
          { metricName: `${REQUESTS}_sum`, labels, value: at(sums, group) / 1000 },
          { metricName: `${REQUESTS}_count`, labels, value: total },
        );
      }
    return values;
  }

  return {
    add(routeClass, status, ms) {
      const group = routeClass * STATUSES + ((status / 100) | 0) - 1;
      let bucket = 0;
      for (const bound of BOUNDS) if (ms > bound) bucket += 1;
      add(counts, group * BUCKETS + bucket, 1);
      add(sums, group, ms);
    },
    waited(routeClass) {
      add(waits, routeClass, 1);
    },
    unavailable(part) {
      refusals.set(part, (refusals.get(part) ?? 0) + 1);
    },
    metrics: [
      {
        name: REQUESTS,
        help: 'Duration of requests to the live port in seconds, until the response is written',
        type: 'histogram',
        aggregator: 'sum',
        values: requestValues,
      },
      {
        name: 'midroll_live_manifests_waited_total',
        help: 'Manifest requests that could not be answered from memory: they waited for a store or an origin',
        type: 'counter',
        aggregator: 'sum',
        values: () =>
          [MEDIA_ROUTE, MPD_ROUTE].map((one) => ({
            labels: { format: routeClassAt(one).format },
            value: at(waits, one),
          })),
      },
      {
        name: 'midroll_live_unavailable_total',
        help: 'Responses of the live port with status 503, by what was unavailable',
        type: 'counter',
        aggregator: 'sum',
        values: () => [...refusals].map(([part, value]) => ({ labels: { part }, value })),
      },
    ],
  };
}
