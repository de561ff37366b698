// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTimerQueue } from '../../../test/clock/timerQueue.ts';
import { channelOf } from '../../../test/stores/records.ts';
import { leadFor, requestTime } from '../viewers/breaks.ts';
import { createRequestTimes } from './requestTimes.ts';

test.each([
  [0, 50, 0],
  [1, 50, 20],
  [1000, 50, 20_000],
  [1000, 0.5, 60_000],
])('the requests of %s viewers at %s a second take %s ms, at most a minute', (viewers, rate, ms) => {
  expect(requestTime(viewers, rate)).toBe(ms);
});

test('decisions begin early enough for the requests of all viewers', () => {
  const spanOf = (...given: Parameters<typeof leadFor>) =>
    leadFor(given[0], 0, given[2]) - leadFor(given[0], 1, given[2]);
  expect(spanOf(30_000, 0, 0)).toBe(18_000);
  expect(spanOf(30_000, 0, 24_000)).toBeCloseTo(24_000);
  expect(leadFor(30_000, 0, 60_000)).toBe(60_000);
  expect(leadFor(45_000, 0, 1000)).toBe(45_000);
});

test('the viewers of a channel with a rate are counted every ten seconds', async () => {
  const queue = createTimerQueue(0);
  const logged: string[] = [];
  let reads = 0;
  const timeOf = createRequestTimes({
    countViewers: async () => {
      reads += 1;
      if (reads === 3) throw new Error('away');
      return new Map([['limited', 100 * reads]]);
    },
    rateOf: ({ id }) => (id === 'limited' ? 10 : undefined),
    timers: queue.timers,
    log: (message) => void logged.push(message),
  });
  const [limited, free] = [channelOf('limited'), channelOf('free')];
  const times: number[] = [];
  for (const at of [0, 100, 9999, 10_000, 10_100, 20_000, 20_100]) {
    queue.advanceTo(at);
    times.push(timeOf(limited));
    expect(timeOf(free)).toBe(0);
    await turn();
  }
  expect(times).toEqual([0, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000]);
  expect([reads, logged.length]).toEqual([3, 1]);
});
