// SPDX-License-Identifier: Apache-2.0
// What is counted of ads for one channel or one host.

/** Seconds. */
export const AD_REQUEST_BOUNDS = [0.1, 0.25, 0.5, 1, 2] as const;

export type AdRequestCounts = {
  readonly outcomes: Map<string, number>;
  /** By AD_REQUEST_BOUNDS; the last one is for longer requests. */
  readonly buckets: number[];
  seconds: number;
};

export type ChannelCounts = AdRequestCounts & {
  readonly decisions: Map<string, number>;
  /** Decisions that are not filled, by the code of the reason. */
  readonly reasons: Map<string, number>;
  breakSeconds: number;
  adSeconds: number;
  slateSeconds: number;
  sessions: number;
};

export const adRequestCounts = (): AdRequestCounts => ({
  outcomes: new Map(),
  buckets: new Array<number>(AD_REQUEST_BOUNDS.length + 1).fill(0),
  seconds: 0,
});

export const channelCounts = (): ChannelCounts => ({
  ...adRequestCounts(),
  decisions: new Map(),
  reasons: new Map(),
  ...{ breakSeconds: 0, adSeconds: 0, slateSeconds: 0, sessions: 0 },
});

export const increment = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

export function countAdRequest(counts: AdRequestCounts, outcome: string, seconds: number): void {
  increment(counts.outcomes, outcome);
  const bucket = AD_REQUEST_BOUNDS.findIndex((bound) => seconds <= bound);
  counts.buckets[bucket < 0 ? AD_REQUEST_BOUNDS.length : bucket]! += 1;
  counts.seconds += seconds;
}

type Labels = Readonly<Record<string, string | number>>;
type Sample = { readonly metricName?: string; readonly labels: Labels; readonly value: number };

/** The samples of a histogram; none while nothing was counted. */
export function histogramSamples(name: string, labels: Labels, { buckets, seconds }: AdRequestCounts): Sample[] {
  let total = 0;
  const samples = buckets.map((count, index): Sample => {
    total += count;
    const le = AD_REQUEST_BOUNDS[index] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
  });
  if (total === 0) return [];
  return [
    ...samples,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
