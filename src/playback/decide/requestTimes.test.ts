// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTimerQueue } from '../../../test/clock/timerQueue.ts';
import { channelOf, written } from '../../../test/stores/records.ts';
import type { Demand, StepSource } from '../request/demand.ts';
import { leadFor, requestTime } from '../viewers/breaks.ts';
import { createRequestTimes } from './requestTimes.ts';

const sourceWith = (rate: number | undefined, index: number): StepSource => {
  const record = { ...written, id: `s${index}`, tenant: 't', type: 'vast', url: 'https://ads.test/' } as const;
  return { id: record.id, record: rate === undefined ? record : { ...record, maxPerSecond: rate } };
};
const demandWith = (rates: readonly (number | undefined)[]): Demand => ({
  kind: 'steps',
  steps: [{ sources: rates.map(sourceWith) }, { sources: [sourceWith(1, 9), { id: 'gone', record: undefined }] }],
  budgetMs: 2000,
  channel: { tracking: 'server', type: 'live' },
});

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

test('the viewers of a channel with steps are counted every ten seconds', async () => {
  const queue = createTimerQueue(0);
  const logged: string[] = [];
  let reads = 0;
  const timeOf = createRequestTimes({
    countViewers: async (_, [id]) => {
      if (id === 'free') return new Map([['free', 1000]]);
      reads += 1;
      if (reads === 3) throw new Error('away');
      return new Map([['limited', 100 * reads]]);
    },
    demandOf: async ({ id }) => demandWith(id === 'limited' ? [undefined, 50, 10] : [undefined]),
    timers: queue.timers,
    log: (message) => void logged.push(message),
  });
  const adSteps = [{ sources: ['s'] }];
  const [limited, free, single] = [
    channelOf('limited', { adSteps }),
    channelOf('free', { adSteps }),
    channelOf('single'),
  ];
  const times: number[] = [];
  for (const at of [0, 100, 9999, 10_000, 10_100, 20_000, 20_100]) {
    queue.advanceTo(at);
    times.push(timeOf(limited));
    expect([timeOf(free), timeOf(single)]).toEqual([at === 0 ? 0 : 5000, 0]);
    await turn();
  }
  expect(times).toEqual([0, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000]);
  expect([reads, logged.length]).toEqual([3, 1]);
});
