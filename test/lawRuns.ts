// SPDX-License-Identifier: Apache-2.0
// How many random cases a property test has: few in `npm test`, 20 times as many in `npm run test:long` (LAW_RUNS).
import { randomInt } from 'node:crypto';

const scale = Number(process.env.LAW_RUNS ?? 1);
/** Whether there are so many cases that each kind of them occurs. */
export const isThorough = scale > 1;

const scaled = (count: number): number => Math.max(1, Math.round(count * scale));

/** Options of fast-check, which names the seed of a case that fails. */
export const lawRuns = (count: number): { readonly numRuns: number } => ({ numRuns: scaled(count) });

/** Random seeds for tests that state theirs in their names. LAW_SEED repeats one. */
export function lawSeeds(count: number): readonly number[] {
  if (process.env.LAW_SEED !== undefined) return [Number(process.env.LAW_SEED)];
  return Array.from({ length: scaled(count) }, () => randomInt(2 ** 31));
}
