// SPDX-License-Identifier: Apache-2.0
// Measured costs for calculations: `npm run bench:scaling` writes measured.json.
import { readFileSync, writeFileSync } from 'node:fs';
import type { EventCosts } from './eventCosts.ts';
import type { SessionMemory } from './redisMemory.ts';

export type Measured = {
  readonly machine: string;
  /** By where sessions are and how requests are routed, e.g. `redis sticky`. */
  readonly costs: Readonly<Record<string, EventCosts>>;
  /** Of a session that a node reads again from Redis: processor milliseconds. */
  readonly rereadMs: { readonly nodeMs: number; readonly redisMs: number };
  readonly rowBytes: Readonly<Record<string, number>>;
  /** In the order of the sizes of ad responses. */
  readonly redisMemory: Readonly<Record<string, SessionMemory>>;
};

const file = new URL('./measured.json', import.meta.url);

export const readMeasured = (): Measured => JSON.parse(readFileSync(file, 'utf8')) as Measured;

/** Three digits are more than two runs agree on. */
const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

export const writeMeasured = (measured: Measured): void =>
  writeFileSync(file, `${JSON.stringify(measured, rounded, 2)}\n`);
