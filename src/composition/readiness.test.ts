// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { naming } from '../../test/naming.ts';
import { millis } from '../time/units.ts';
import { createClockCheck, createLowDisk } from './readiness.ts';

/** By how many milliseconds each measured clock is ahead, `+` how long the response took. */
test.each([
  ['a second is the limit', '990 1010', ['', 'ahead']],
  ['a clock may be behind', '-4000', ['behind']],
  ['half of the round trip is in doubt', '1400+900 1500+900', ['', 'ahead']],
  ['a clock that is nearly right again still counts as off', '1500 900 1100 700', ['ahead', 'ahead', 'ahead', '']],
  ['a slow response says nothing', '1500 0+5000', ['ahead', 'ahead']],
] as const)('%s', async (_, measured, found) => {
  let clock = 1_000_000;
  let [ahead, trip] = [0, 0];
  const logged: string[] = [];
  const check = createClockCheck({
    now: () => millis(clock),
    async readTime() {
      clock += trip;
      return clock - trip / 2 - ahead;
    },
    log: (message) => logged.push(message),
  });
  const reasons: string[] = [];
  for (const each of measured.split(' ')) {
    [ahead = 0, trip = 0] = each.split('+').map(Number);
    await check.measure();
    reasons.push(/ahead|behind/.exec(check.reason() ?? '')?.[0] ?? '');
  }
  expect(reasons).toEqual(found);
  // One line each way.
  const changes = found.filter((each, index) => (each === '') !== ((found[index - 1] ?? '') === ''));
  expect(logged).toHaveLength(changes.length);
});

test('states how much the clock is off', async () => {
  const check = createClockCheck({ now: () => millis(12_340), readTime: async () => 10_000, log: () => {} });
  expect([check.reason(), check.difference()]).toEqual([undefined, undefined]);
  await check.measure();
  expect([check.reason()?.includes('2.3 s ahead'), check.difference()]).toEqual([true, 2.34]);
});

test('reports a disk that is nearly full, until it has space again', async () => {
  let free = 100 * 2 ** 20;
  const disk = createLowDisk('/data', async () => free);
  expect(disk.reason()).toBeUndefined();
  await disk.measure();
  expect(disk.reason()).toEqual(naming('DATA_DIR', '100 MiB'));
  free = 2 ** 40;
  await disk.measure();
  expect(disk.reason()).toBeUndefined();
});

test('measures a real disk', async () => {
  const disk = createLowDisk(tmpdir());
  await disk.measure();
  expect(disk.reason()).toBeUndefined();
});
