// SPDX-License-Identifier: Apache-2.0
// Orders are put on the schedule whichever node does it and whenever it was started, with a real store.
import { afterAll, expect, test } from 'vitest';
import { syntheticAsset, syntheticMedia } from '../../test/laws/syntheticMedia.ts';
import { libraryOf } from '../../test/planning.ts';
import { sqlAirings } from '../adapters/sql/channels/sqlAirings.ts';
import { sqlAssets } from '../adapters/sql/channels/sqlAssets.ts';
import { sqlBreakOrders } from '../adapters/sql/channels/sqlBreakOrders.ts';
import type { Channel } from '../channels/channel.ts';
import type { InsertedBreak } from '../channels/inserted/breakOrder.ts';
import type { Versioned } from '../channels/ports.ts';
import { insertedOnAir } from '../channels/schedule/insertedOnAir.ts';
import { openSqlite } from '../database.ts';
import { FLICKS_PER_SECOND, flicks, type Millis, millis } from '../time/units.ts';
import { ladderOf } from '../timeline/ladder/ladderOf.ts';
import { createBreakInserter } from './insertBreaks.ts';
import { createBlackoutMedia } from './live/blackoutMedia.ts';
import { createScheduleSource } from './scheduleSource.ts';

const START = Date.parse('2026-03-01T12:00:00.000Z');
const at = (seconds: number): Millis => millis(START + seconds * 1000);
const asset = {
  ...syntheticAsset({ name: 'a', segments: new Array<number>(20).fill(50) }),
  url: 'https://media.test/a.m3u8',
};
const ladder = ladderOf([asset]);
const tenant = 'acme';

const sql = await openSqlite(':memory:');
afterAll(() => sql.close());

async function onAir(channelId: string) {
  const [airings, assets, orders] = [sqlAirings(sql), sqlAssets(sql), sqlBreakOrders(sql)];
  const key = await assets.put(asset.url, asset, millis(0));
  const to = flicks(40 * FLICKS_PER_SECOND);
  await airings.begin(
    { channelId, life: channelId, tenant, startedAt: at(0), ladder },
    [
      {
        channelId,
        life: channelId,
        number: 0,
        from: at(0),
        items: [asset.url],
        slots: [{ kind: 'content', asset: key, part: 0, from: 0, to, item: 0, at: 0 }],
        base: { segments: ladder.rungs.map(() => 0), discontinuities: 0 },
      },
    ],
    undefined,
  );
  let now = at(0);
  let isCard = false;
  let isRecorded = false;
  const findMedia = (id: string) => syntheticMedia(id, 0, ladder);
  const source = createScheduleSource({ airings, assets, findMedia });
  const logged: string[] = [];
  const channel = { id: channelId, tenant, type: 'vod2live', state: 'enabled', version: 1 } as Versioned<Channel>;
  /** @param failures how often the store of editions fails */
  function startNode(failures = 0) {
    let left = failures;
    const library = libraryOf(async (_, from) =>
      from === undefined || isCard
        ? { state: 'ready', media: findMedia(from === undefined ? 'slate' : 'card') }
        : { state: 'failed', fault: 'NOT_MADE', reason: 'HTTP 404' },
    );
    return createBreakInserter({
      changeOf: async () => undefined,
      library,
      orders,
      now: () => now,
      onAir: source.load,
      onStored: async () => {},
      recordAsRun: async () => isRecorded,
      channels: { find: async (_, id) => (id === channelId ? channel : undefined) },
      blackoutMedia: createBlackoutMedia({ library, now: () => now, onReady: () => {} }),
      airings: {
        append: async (...editions) => {
          left -= 1;
          if (left >= 0) throw new Error('the database is away');
          return airings.append(...editions);
        },
      },
      log: (message) => void logged.push(message),
    });
  }
  const numbers = async () => (await airings.current(channel))!.editions.map(({ number }) => number);
  const inserted = async () => insertedOnAir((await source.load(channel))!.lineup);
  const order = (fields: Partial<InsertedBreak>) =>
    orders.insert<InsertedBreak>(
      {
        tenant,
        channelId,
        id: 'x',
        kind: 'ads',
        startsAt: now,
        createdAt: now,
        revision: 0,
        request: '',
        ...(fields.kind === 'blackout' ? {} : { duration: millis(10_000) }),
        ...fields,
      },
      100,
    );
  const goTo = (seconds: number) => {
    now = at(seconds);
  };
  const allowRecording = () => {
    isRecorded = true;
  };
  const makeCard = () => {
    isCard = true;
  };
  return { startNode, order, goTo, numbers, inserted, logged, makeCard, allowRecording };
}

test('a node that starts puts on air what was ordered before another one was killed', async () => {
  const { startNode, order, goTo, inserted } = await onAir('crashed');
  goTo(4);
  await order({});
  goTo(6);
  await startNode().run();
  expect(await inserted()).toEqual(new Map([['x', { spanId: '1-0', startsAt: at(10), endsAt: at(20) }]]));
});

test('what another node has put on air is not inserted again, and two nodes at once insert it once', async () => {
  const { startNode, order, goTo, numbers, inserted } = await onAir('shared');
  goTo(4);
  await order({});
  await Promise.all([startNode().run(), startNode().run()]);
  const stored = await numbers();
  goTo(7);
  await startNode().run();
  expect(await numbers()).toEqual(stored);
  expect([...(await inserted()).keys()]).toEqual(['x']);
});

test('a failure is logged, and retried after 5 s', async () => {
  const { startNode, order, goTo, inserted, logged } = await onAir('failing');
  const node = startNode(1);
  goTo(4);
  await order({});
  await node.run();
  expect([logged, (await inserted()).size]).toEqual([['failed to insert breaks into a schedule'], 0]);
  goTo(8);
  await node.run();
  expect((await inserted()).size).toBe(0);
  goTo(9);
  await node.run();
  expect((await inserted()).size).toBe(1);
});

test('a blackout whose asset has failed gets it when a retry succeeds', async () => {
  const { startNode, order, goTo, numbers, makeCard } = await onAir('card');
  const node = startNode();
  goTo(4);
  await order({ kind: 'blackout', assetUrl: 'https://media.test/card.mp4' });
  await node.run();
  goTo(10);
  await node.run();
  const stored = await numbers();
  makeCard();
  for (let second = 11; second < 90; second += 1) {
    goTo(second);
    await node.run();
  }
  expect((await numbers()).length).toBeGreaterThan(stored.length);
});

test('editions that ended more than a day ago are removed once what they have aired is recorded', async () => {
  const { startNode, order, goTo, numbers, allowRecording } = await onAir('recorded');
  const node = startNode();
  for (const [index, hours] of [0, 28, 29].entries()) {
    goTo(hours * 3600 + 4);
    await order({ id: `break${index}` });
    if (index === 2) allowRecording();
    await node.run();
    expect((await numbers()).includes(0)).toBe(index < 2);
  }
});
