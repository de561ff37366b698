// SPDX-License-Identifier: Apache-2.0
// What a row's rounds show: ratios to the reference, of which more is better except for the latency.
import { type Pair, ratiosOf, type Spread, spreadOf } from '../pairs.ts';
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
  /** The largest share of a measurement in which the load was computing. */
  readonly loadBusy: number;
};

const median = (values: readonly number[]): number => spreadOf(values).median;

/** Below this number of sessions, what all viewers share outweighs them. */
const LEAST_SESSIONS = 10_000;

export function resultOf(
  { id, title, sessions }: { readonly id: string; readonly title: string; readonly sessions: number },
  pairs: readonly Pair<Figures>[],
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
    ...(sessions >= LEAST_SESSIONS && {
      bytesPerSession: [
        Math.round(median(memory.map(([atRest]) => atRest))),
        Math.round(median(memory.map(([, served]) => served))),
      ] as const,
    }),
    loadBusy: Math.max(...pairs.flatMap((pair) => [pair.own.busy, pair.reference.busy])),
  };
}
