// SPDX-License-Identifier: Apache-2.0
// The order of jobs in the queue, and the position that a waiting process reports.
import { expect, test } from 'vitest';
import { testLadder } from '../../../test/media/conditioning.ts';
import { sqlCreatives } from '../../adapters/sql/creatives/sqlCreatives.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import { openSqlite } from '../../database.ts';
import { millis } from '../../time/units.ts';
import { IDLE_AFTER, URGENCY } from './creativeJobs.ts';
import { createCreativeLibrary } from './creativeLibrary.ts';

const ladder = testLadder({ n: 25, d: 1 }, 48_000);
const source = (name: string) => ({ url: `https://ads.test/${name}`, mimeType: '' });

async function openLibrary() {
  const sql = await openSqlite(':memory:');
  const jobs = sqlCreatives(sql);
  const clock = { now: 1_000_000 };
  const now = () => millis(clock.now);
  const mediaStore = { find: () => undefined, load: async () => true };
  const library = createCreativeLibrary({ mediaStore, jobs, now, timers: systemTimers, warn: expect.unreachable });
  const take = async () => (await jobs.take(`l${Math.random()}`, now(), millis(clock.now + 1e9), URGENCY.retry))?.order;
  const close = () => {
    library.close();
    return sql.close();
  };
  return { clock, library, take, jobs, close };
}

test('waiting slate has a position in the queue until it is being made', async () => {
  const { library, take, jobs, close } = await openLibrary();
  library.prepare('spot', source('spot'), ladder);
  for (const [at, name] of ['first', 'second'].entries()) {
    void library.slate(ladder, source(name));
    await expect.poll(() => jobs.waiting()).toBe(at + 2);
  }
  void library.slate(ladder);
  expect(library.slateQueue(ladder)).toBeUndefined();
  await expect.poll(() => library.slateQueue(ladder)).toBe(2);
  expect(library.slateQueue(ladder, source('second'))).toBe(1);
  expect((await take())?.source).toEqual(source('first'));
  await expect.poll(() => library.slateQueue(ladder, source('first'))).toBe(0);
  expect(library.slateQueue(ladder)).toBe(2);
  await take();
  expect((await take())?.kind).toBe('slate');
  await expect.poll(() => library.slateQueue(ladder)).toBe(0);
  await close();
});

test('creatives that viewers still request are made before idle ones, and before those made ahead', async () => {
  const { clock, library, take, jobs, close } = await openLibrary();
  for (const name of ['idle', 'requested']) library.prepare(name, source(name), ladder);
  library.prepare('bumper', source('bumper'), ladder, undefined, true);
  library.prepare('shown', source('shown'), ladder, undefined, true);
  await expect.poll(() => jobs.waiting()).toBe(4);
  clock.now += IDLE_AFTER + 1;
  // A viewer's request raises the urgency of a creative that is made ahead.
  for (const name of ['requested', 'shown']) library.prepare(name, source(name), ladder);
  await library.poll();
  const order: (string | undefined)[] = [];
  for (let index = 0; index < 4; index += 1) order.push((await take())?.source?.url.split('/').at(-1));
  expect([new Set(order.slice(0, 2)), ...order.slice(2)]).toEqual([new Set(['requested', 'shown']), 'idle', 'bumper']);
  await close();
});
