// Two processes over one store: one waits for slate, another makes it.
import { expect, test } from 'vitest';
import { testLadder } from '../../../test/media/conditioning.ts';
import { sqlCreatives } from '../../adapters/sql/creatives/sqlCreatives.ts';
import { openSqlite } from '../../adapters/sql/sql.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
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
  const mediaStore = { find: () => undefined };
  const library = createCreativeLibrary({ mediaStore, jobs, now, timers: systemTimers, warn: expect.unreachable });
  const take = async () => (await jobs.take(`l${Math.random()}`, now(), millis(clock.now + 1e9), URGENCY.again))?.order;
  const close = () => {
    library.close();
    return sql.close();
  };
  return { clock, library, take, jobs, close };
}

test('who waits for slate knows how many are made before it, until it is being made', async () => {
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

test('what viewers go on asking for stays before what nobody asks for any more, and before what is made ahead', async () => {
  const { clock, library, take, jobs, close } = await openLibrary();
  for (const name of ['left', 'wanted']) library.prepare(name, source(name), ladder);
  library.prepare('bumper', source('bumper'), ladder, undefined, true);
  library.prepare('shown', source('shown'), ladder, undefined, true);
  await expect.poll(() => jobs.waiting()).toBe(4);
  clock.now += IDLE_AFTER + 1;
  // The first viewer who wants what was made ahead makes it a viewer's.
  for (const name of ['wanted', 'shown']) library.prepare(name, source(name), ladder);
  await library.look();
  const order: (string | undefined)[] = [];
  for (let index = 0; index < 4; index += 1) order.push((await take())?.source?.url.split('/').at(-1));
  expect([new Set(order.slice(0, 2)), ...order.slice(2)]).toEqual([new Set(['wanted', 'shown']), 'left', 'bumper']);
  await close();
});
