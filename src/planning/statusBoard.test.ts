// SPDX-License-Identifier: Apache-2.0
import { afterAll, expect, test } from 'vitest';
import { syntheticMedia } from '../../test/laws/syntheticMedia.ts';
import { boardOf, libraryOf, linearChannel, plannerOf } from '../../test/planning.ts';
import { sqlChannelStatuses } from '../adapters/sql/channels/sqlChannelStatuses.ts';
import { sqlChannels } from '../adapters/sql/channels/sqlChannels.ts';
import { openSqlite } from '../database.ts';
import { millis } from '../time/units.ts';
import type { ChannelStatus } from './status.ts';
import { createStatusBoard } from './statusBoard.ts';

const now = () => millis(1_000_000);
const of = (id: string) => ({ tenant: 'acme', id });
const sql = await openSqlite(':memory:');
afterAll(() => sql.close());

test('a planning that ends while others are shared keeps its status', async () => {
  const board = boardOf(sql, now);
  const [first, second] = [of('first'), of('second')];
  const begun: ChannelStatus = { state: 'enabled', stateReason: 'It is being prepared.', items: [] };
  let isOver = false;
  const shared = board.share([
    { channel: first, statusNow: () => begun },
    { channel: second, statusNow: () => (isOver ? undefined : begun) },
  ]);
  isOver = true;
  await board.put(second, { state: 'failed', items: [] });
  await shared;
  expect((await board.find(second))?.state).toBe('failed');
});

test('another node begins at once what a node that ends has left in preparation', async () => {
  const [ending, other] = [boardOf(sql, now), boardOf(sql, now)];
  const [left, made] = [of('left'), of('made')];
  const preparing = { state: 'enabled', preparation: {}, items: [] } as unknown as ChannelStatus;
  await ending.put(left, preparing);
  await ending.put(made, { state: 'enabled', items: [] });
  expect((await other.survey([left, made])).unplanned).toEqual([]);
  await ending.release([left, made]);
  expect((await other.survey([left, made])).unplanned).toEqual([left]);
});

test('progress that is shared while a planning ends does not replace its status', async () => {
  const shared: Promise<void>[] = [];
  const statuses = sqlChannelStatuses(sql);
  const put: typeof statuses.put = (...status) => {
    if (shared.length === 0) shared.push(planner.share());
    return statuses.put(...status);
  };
  const planner = plannerOf(sql, {
    board: createStatusBoard({ store: { ...statuses, put }, now, log: expect.unreachable }),
    library: libraryOf(async (ladder) => ({ state: 'ready', media: syntheticMedia('slate', 0, ladder) })),
    now,
  });
  const { playlistId: _, ...channel } = linearChannel('umbrella');
  await sqlChannels(sql).insert(channel);
  await planner.plan(channel);
  await Promise.all(shared);
  expect(shared).toHaveLength(1);
  expect((await planner.sharedStatus(channel))?.stateReason).toContain('The channel has no playlist,');
});
