// SPDX-License-Identifier: Apache-2.0
// What a row's rounds show: ratios to the reference, of which more is better except for the latency.
import { median, type Pair, ratiosOf, type Spread } from '../harness/pairs.ts';
import type { Figures } from './sides.ts';

export type RowResult = {
  readonly id: string;
  readonly title: string;
  /** Bytes of an answer with its head, on average. */
  readonly bytes: number;
  readonly perSecond: number;
  /** Processor time of a request in microseconds. */
  readonly referenceMicros: number;
  readonly micros: number;
  /** Of the reference to the server. */
  readonly cpu: Spread;
  /** Requests per second, of the server to the reference. */
  readonly rate: Spread;
  /** Of the server to the reference. */
  readonly p99: Spread;
  /** In milliseconds. */
  readonly p99Ms: number;
  readonly bytesPerSession?: readonly [atRest: number, served: number];
  /** Beacons received for each segment of an ad that was requested. Those that were not due yet at the end are missing. */
  readonly beaconsPerSegment?: number;
  /** The largest share of a measurement in which the load was computing. */
  readonly loadBusy: number;
};

export function resultOf(
  { id, title }: { readonly id: string; readonly title: string },
  pairs: readonly Pair<Figures>[],
  beacons?: number,
): RowResult {
  const own = pairs.map((pair) => pair.own);
  const memory = own.flatMap(({ bytesPerSession }) => (bytesPerSession === undefined ? [] : [bytesPerSession]));
  return {
    ...{ id, title },
    bytes: Math.round(median(own.map(({ bytesPerAnswer }) => bytesPerAnswer))),
    perSecond: Math.round(median(own.map(({ perSecond }) => perSecond))),
    referenceMicros: median(pairs.map(({ reference }) => reference.microsPerRequest)),
    micros: median(own.map(({ microsPerRequest }) => microsPerRequest)),
    cpu: ratiosOf(pairs, (pair) => pair.reference.microsPerRequest / pair.own.microsPerRequest),
    rate: ratiosOf(pairs, (pair) => pair.own.perSecond / pair.reference.perSecond),
    p99: ratiosOf(pairs, (pair) => pair.own.p99 / pair.reference.p99),
    p99Ms: median(own.map(({ p99 }) => p99)),
    ...(memory.length > 0 && {
      bytesPerSession: [
        Math.round(median(memory.map(([atRest]) => atRest))),
        Math.round(median(memory.map(([, served]) => served))),
      ] as const,
    }),
    ...(beacons !== undefined && {
      beaconsPerSegment: beacons / own.reduce((sum, { segments = 0 }) => sum + segments, 0),
    }),
    loadBusy: Math.max(...pairs.flatMap((pair) => [pair.own.busy, pair.reference.busy])),
  };
}
