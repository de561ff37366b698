// SPDX-License-Identifier: Apache-2.0
import { afterAll, expect, test } from 'vitest';
import { testLadder } from '../../test/media/conditioning.ts';
import { sqlCreatives } from '../adapters/sql/creatives/sqlCreatives.ts';
import type { Channel } from '../channels/channel.ts';
import { openSqlite } from '../database.ts';
import { URGENCY } from '../ingest/creatives/creativeJobs.ts';
import { millis } from '../time/units.ts';
import { createSlatePriority } from './slateFor.ts';

const ladder = testLadder({ n: 25, d: 1 }, 48_000);
const channelOf = (id: string) => ({ id, tenant: 'acme', state: 'enabled', apiKey: id }) as Channel;
const sql = await openSqlite(':memory:');
afterAll(() => sql.close());

test('slates of watched and requested channels are prepared first; repeated requests cause one write', async () => {
  let now = 1_000_000;
  const jobs = sqlCreatives(sql);
  const prioritized: string[] = [];
  const priority = createSlatePriority({
    jobs: {
      prioritize: async (owner) => {
        await jobs.prioritize(owner);
        prioritized.push(owner.channelId);
      },
    },
    countViewers: async (tenant, ids) =>
      new Map(ids.flatMap((id) => (`${tenant} ${id}` === 'acme watched' ? [[id, 2]] : []))),
    now: () => millis(now),
    log: expect.unreachable,
  });
  for (const channelId of ['idle', 'watched', 'requested']) {
    const order = { id: `slate of ${channelId}`, kind: 'slate', ladder } as const;
    await jobs.enqueue([{ order, urgency: URGENCY.slate, owner: { tenant: 'acme', channelId } }], millis(now));
    priority.awaited(channelOf(channelId));
  }
  for (let poll = 0; poll < 100; poll += 1) priority.requested(channelOf('requested'));
  await expect.poll(() => prioritized.toSorted()).toEqual(['requested', 'watched']);
  const take = async () => (await jobs.take(`l${now++}`, millis(now), millis(now + 1000), URGENCY.requested))?.order.id;
  expect(new Set([await take(), await take()])).toEqual(new Set(['slate of requested', 'slate of watched']));
  expect(await take()).toBeUndefined();
  now += 10_000;
  priority.requested(channelOf('requested'));
  await expect.poll(() => prioritized.length).toBe(3);
});
