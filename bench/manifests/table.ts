// SPDX-License-Identifier: Apache-2.0
// The lines of the bench's table.
import type { Spread } from '../harness/pairs.ts';
import type { RowResult } from './results.ts';

const spread = ({ median, least, most }: Spread): string =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;

const columns: readonly (readonly [head: string, width: number, of: (result: RowResult) => string])[] = [
  ['bytes', 8, ({ bytes }) => String(bytes)],
  ['req/s', 8, ({ perSecond }) => String(perSecond)],
  ['ref µs', 8, ({ referenceMicros }) => referenceMicros.toFixed(1)],
  ['µs', 8, ({ micros }) => micros.toFixed(1)],
  ['CPU ratio', 19, ({ cpu }) => spread(cpu)],
  ['rate ratio', 19, ({ rate }) => spread(rate)],
  ['p99 ratio', 20, ({ p99 }) => spread(p99)],
  ['p99 ms', 8, ({ p99Ms }) => p99Ms.toFixed(1)],
  ['load', 6, ({ loadBusy }) => `${Math.round(100 * loadBusy)}%`],
  ['B/session', 13, ({ bytesPerSession: bytes }) => (bytes === undefined ? '' : `${bytes[0]}–${bytes[1]}`)],
];

const ID_WIDTH = 13;

export const tableHead = (): string =>
  ''.padEnd(ID_WIDTH) + columns.map(([head, width]) => head.padStart(width)).join('');

const beaconsOf = ({ beaconsPerSegment: beacons }: RowResult): string =>
  beacons === undefined ? '' : `  ${beacons.toFixed(2)} beacons per segment`;

export const tableLine = (result: RowResult): string =>
  result.id.padEnd(ID_WIDTH) + columns.map(([, width, of]) => of(result).padStart(width)).join('') + beaconsOf(result);
