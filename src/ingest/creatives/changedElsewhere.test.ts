// SPDX-License-Identifier: Apache-2.0
// What a process has in memory of creatives follows what other processes and operators change in the queue.
import { expect, test } from 'vitest';
import { testLadder } from '../../../test/media/conditioning.ts';
import { openedInTest } from '../../../test/opened.ts';
import { sqlCreatives } from '../../adapters/sql/creatives/sqlCreatives.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import { openSqlite } from '../../database.ts';
import { millis } from '../../time/units.ts';
import { mediaId } from '../condition/plan/planEncode.ts';
import { IDLE_AFTER, URGENCY } from './creativeJobs.ts';
import { createCreativeLibrary } from './creativeLibrary.ts';

const ladder = testLadder({ n: 25, d: 1 }, 48_000);
const sourceOf = (name: string) => ({ url: `https://ads.test/${name}`, mimeType: '' });
const id = mediaId('creative', 'spot', ladder);
const owner = { tenant: 'acme', channelId: 'one' };
const failure = { state: 'failed', fault: 'NOT_FETCHED', reason: 'returned status 404', dueAt: millis(1e12) } as const;

async function openLibrary(warn: () => void = expect.unreachable) {
  const sql = await openedInTest(openSqlite(':memory:'));
  const queries: string[] = [];
  const own = sqlCreatives(sql);
  const jobs: typeof own = {
    ...own,
    states: (ids) => {
      queries.push(...ids);
      return own.states(ids);
    },
  };
  const clock = { now: 1_000_000 };
  const now = () => millis(clock.now);
  const mediaStore = { find: () => undefined, load: async () => true };
  const library = await openedInTest(createCreativeLibrary({ mediaStore, jobs, now, timers: systemTimers, warn }));
  const take = async () => (await jobs.take(`l${Math.random()}`, now(), millis(clock.now + 1e9), URGENCY.retry))?.order;
  return { clock, now, library, take, jobs, queries };
}

/** A library in which the creative has failed, which is cached for a minute. */
async function openFailed() {
  const made = await openLibrary(() => {});
  const { library, jobs, now, queries } = made;
  const prepare = () => library.prepare('spot', sourceOf('spot'), ladder, owner);
  prepare();
  await expect.poll(() => jobs.waiting()).toBe(1);
  await jobs.take('l1', now(), millis(2_000_000), URGENCY.retry);
  await jobs.finish('l1', failure, now());
  await library.changed(new Set([id]));
  expect(prepare()).toMatchObject({ state: 'failed', reason: failure.reason });
  queries.length = 0;
  return { ...made, prepare };
}

test('a creative that was retried or deleted elsewhere does not count as failed any more', async () => {
  for (const change of ['retry', 'remove'] as const) {
    const { library, jobs, prepare, now } = await openFailed();
    await (change === 'retry' ? jobs.retry('acme', id, now()) : jobs.remove('acme', id));
    expect(prepare()).toMatchObject({ state: 'failed' });
    await library.changed(new Set([id]));
    expect(prepare()).toEqual({ state: 'preparing' });
  }
});

test('a failure that is still in the queue stays cached', async () => {
  const { library, prepare } = await openFailed();
  await library.changed(new Set([id]));
  expect(prepare()).toMatchObject({ state: 'failed' });
});

test('notices of creatives that a process has not requested cost no query', async () => {
  const { library, queries } = await openFailed();
  await library.changed(new Set(Array.from({ length: 500 }, (_, index) => `other${index}`)));
  await library.changed();
  expect(queries).toEqual([]);
});

// The order of jobs in the queue, and the position that a waiting process reports.

test('waiting slate has a position in the queue until it is being made', async () => {
  const { library, take, jobs } = await openLibrary();
  library.prepare('spot', sourceOf('spot'), ladder);
  for (const [at, name] of ['first', 'second'].entries()) {
    void library.slate(ladder, sourceOf(name));
    await expect.poll(() => jobs.waiting()).toBe(at + 2);
  }
  void library.slate(ladder);
  expect(library.slateQueue(ladder)).toBeUndefined();
  await expect.poll(() => library.slateQueue(ladder)).toBe(2);
  expect(library.slateQueue(ladder, sourceOf('second'))).toBe(1);
  expect((await take())?.source).toEqual(sourceOf('first'));
  await expect.poll(() => library.slateQueue(ladder, sourceOf('first'))).toBe(0);
  expect(library.slateQueue(ladder)).toBe(2);
  await take();
  expect((await take())?.kind).toBe('slate');
  await expect.poll(() => library.slateQueue(ladder)).toBe(0);
});

test('creatives that viewers still request are made before idle ones, and before those made ahead', async () => {
  const { clock, library, take, jobs } = await openLibrary();
  for (const name of ['idle', 'requested']) library.prepare(name, sourceOf(name), ladder);
  library.prepare('bumper', sourceOf('bumper'), ladder, undefined, true);
  library.prepare('shown', sourceOf('shown'), ladder, undefined, true);
  await expect.poll(() => jobs.waiting()).toBe(4);
  clock.now += IDLE_AFTER + 1;
  // A viewer's request raises the urgency of a creative that is made ahead.
  for (const name of ['requested', 'shown']) library.prepare(name, sourceOf(name), ladder);
  await library.poll();
  const order: (string | undefined)[] = [];
  for (let index = 0; index < 4; index += 1) order.push((await take())?.source?.url.split('/').at(-1));
  expect([new Set(order.slice(0, 2)), ...order.slice(2)]).toEqual([new Set(['requested', 'shown']), 'idle', 'bumper']);
});
