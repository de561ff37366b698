// SPDX-License-Identifier: Apache-2.0
// A virtual day of live channels in random trouble, with three nodes: no law is broken, and the heap does not grow. Their
// origins are in any state when a channel begins, and write bad lines. SOAK_MINUTES is the length, SOAK_SEED another run of it,
// and SOAK_LINES names the bad lines, or `none` (test/laws/soak/badLines.ts).
import { expect, test } from 'vitest';
import { bytesInUse } from '../collectGarbage.ts';
import { runLiveSoak } from '../laws/soak/liveSoak.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 24 * 60);
const SEED = Number(process.env.SOAK_SEED ?? 1);
/** Linear growth from the first two hours to the last two is 3. */
const FLAT = 1.5;

const firstLine = (text: string): string => text.split('\n', 1)[0]!;

test('no law is broken in a day of random trouble, and the heap does not grow', async () => {
  const report = await runLiveSoak({
    ...{ seed: SEED, minutes: MINUTES, heapUsed: bytesInUse },
    onHour: (hour, { violations, watched, heap, cpu }) =>
      console.log(`hour ${hour}:`, JSON.stringify({ watched, heap, cpu, laws: violations.map(firstLine) }, null, 2)),
  });
  const { violations, ...counts } = report;
  console.log(JSON.stringify({ ...counts, lawsBroken: violations.length }, null, 2));
  expect(violations).toEqual([]);
  const [, ...hours] = report.heap;
  if (hours.length >= 4) expect(Math.min(...hours.slice(-2)) / Math.min(...hours.slice(0, 2))).toBeLessThan(FLAT);
});
