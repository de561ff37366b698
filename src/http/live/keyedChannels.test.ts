// SPDX-License-Identifier: Apache-2.0
// Channels of several tenants with the same id on the live port: each key opens its own channel, and responses without the
// key reveal nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syntheticAsset, syntheticMedia } from '../../../test/laws/syntheticMedia.ts';
import { type LiveServer, serveLive } from '../../../test/servers/liveServer.ts';
import { sqlAirings } from '../../adapters/sql/channels/sqlAirings.ts';
import { sqlAssets } from '../../adapters/sql/channels/sqlAssets.ts';
import { sqlBreakOrders } from '../../adapters/sql/channels/sqlBreakOrders.ts';
import { sqlChannelStatuses } from '../../adapters/sql/channels/sqlChannelStatuses.ts';
import { sqlChannels } from '../../adapters/sql/channels/sqlChannels.ts';
import { sqlPlaylists } from '../../adapters/sql/channels/sqlPlaylists.ts';
import { sqlLiveFeeds } from '../../adapters/sql/live/sqlLiveFeeds.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import type { Channel } from '../../channels/channel.ts';
import { openSqlite } from '../../database.ts';
import { createPlanner, type Planner } from '../../planning/planner.ts';
import { describePreparation } from '../../planning/preparation.ts';
import { createScheduleSource } from '../../planning/scheduleSource.ts';
import { createStatusBoard } from '../../planning/statusBoard.ts';
import { type AiringCache, createAiringCache } from '../../playback/onAir/airingCache.ts';
import { millis } from '../../time/units.ts';

const shape = { rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: new Array(20).fill(50), qualities: 1 };
const start = Date.parse('2026-03-01T12:00:00.000Z');
const written = { createdBy: 'ann@example.com', createdAt: new Date(start).toISOString() };
const channelOf = (tenant: string, id = 'one'): Channel => ({
  id,
  tenant,
  type: 'vod2live',
  state: 'enabled',
  apiKey: `key-of-${tenant}`,
  playlistId: 'films',
  playlistSize: 30,
  timeShiftWindow: 0,
  tracking: 'server',
  ...written,
});

let sql: Sql;
let live: LiveServer;
let base: string;
let cache: AiringCache;
const served: string[] = [];

beforeAll(async () => {
  sql = await openSqlite(':memory:');
  const [channels, playlists, airings, assets] = [sqlChannels(sql), sqlPlaylists(sql), sqlAirings(sql), sqlAssets(sql)];
  const sessions = sqlSessions(sql);
  let time = start;
  const now = () => millis(time);
  const media = new Map<string, ReturnType<typeof syntheticMedia>>();
  const findMedia = (id: string) => media.get(id);
  const source = createScheduleSource({ airings, assets, findMedia });
  cache = createAiringCache({
    channels,
    source,
    findMedia,
    timers: systemTimers,
    log: expect.unreachable,
    offAirReason: (channel) => describePreparation(planner.status(channel)),
  });
  const board = createStatusBoard({ store: sqlChannelStatuses(sql), now, log: expect.unreachable });
  const planner: Planner = createPlanner({
    orders: sqlBreakOrders(sql),
    blackoutMedia: { of: () => undefined, stateOf: () => undefined },
    board,
    feeds: sqlLiveFeeds(sql),
    analyse: expect.unreachable,
    channels,
    playlists,
    airings,
    grace: 600_000,
    onAir: source.load,
    now,
    log: expect.unreachable,
    assets: {
      find: async (url) => {
        const asset = { ...syntheticAsset({ name: new URL(url).pathname.slice(1), ...shape }), url };
        return { ok: true, key: await assets.put(url, asset, millis(0)), asset };
      },
    },
    library: {
      prepare: () => ({ state: 'preparing' }),
      settled: async () => ({ state: 'preparing' }),
      slateQueue: () => undefined,
      slate: async (ladder) => {
        const slate = syntheticMedia('slate', 0, ladder);
        media.set(slate.id, slate);
        return { state: 'ready', media: slate };
      },
    },
  });
  for (const tenant of ['acme', 'globex']) {
    const contents = [{ sourceType: 'url' as const, url: `https://media.test/${tenant}-asset` }];
    await playlists.insert({ id: 'films', tenant, status: 'enabled', contents, ...written });
    await channels.insert(channelOf(tenant));
    await planner.plan(channelOf(tenant));
  }
  await channels.insert(channelOf('initech', 'soon'));
  await cache.refresh();
  time += 60_000;
  live = await serveLive({
    airings: cache,
    sessions,
    now,
    observe: { opened: () => {}, watched: () => {}, served: ({ tenant, id }) => void served.push(`${tenant}/${id}`) },
  });
  base = live.url;
});
afterAll(async () => {
  await live.close();
  await sql.close();
});

const get = async (path: string) => {
  const response = await fetch(base + path);
  return { status: response.status, text: await response.text() };
};

test('the key selects the channel of its tenant, and a session stays with that channel', async () => {
  for (const tenant of ['acme', 'globex']) {
    served.length = 0;
    const master = await get(`/hls/one/master.m3u8?api-key=key-of-${tenant}`);
    expect(master.status).toBe(200);
    const [, session] = /^([\w-]{36})\/v0\.m3u8$/m.exec(master.text)!;
    const listed = async () => (await get(`/hls/one/${session}/v0.m3u8`)).text;
    expect(await listed()).toContain(`${tenant}-asset`);
    expect((await listed()).replaceAll(`${tenant}-asset`, '')).not.toContain('-asset');
    expect((await get(`/dash/one/${session}.mpd`)).text).toContain(`${tenant}-asset`);
    expect((await get(`/hls/one/master.m3u8?sid=${session}`)).status).toBe(200);
    expect((await get(`/hls/soon/${session}/v0.m3u8`)).status).toBe(404);
    expect(new Set(served)).toEqual(new Set([`${tenant}/one`, 'initech/soon']));
  }
});

test.each(['/hls/ID/master.m3u8', '/hls/view/ID', '/dash/view/ID'])(
  'without the key, responses do not reveal whether a channel is on air: %s',
  async (path) => {
    const request = (id: string, query: string) => get(path.replace('ID', id) + query);
    const withoutId = async (id: string, query: string) => {
      const { status, text } = await request(id, query);
      return [status, text.replaceAll(id, 'ID').replace(/"requestId":"[^"]*"/, '')];
    };
    for (const id of ['soon', 'nowhere']) expect(await withoutId(id, '')).toEqual(await withoutId('one', ''));
    expect((await request('one', '')).status).toBe(401);
    expect((await request('soon', '?api-key=key-of-acme')).status).toBe(403);
    expect(await withoutId('soon', '?api-key=wrong')).toEqual(await withoutId('one', '?api-key=wrong'));
    expect((await request('nowhere', '?api-key=wrong')).status).toBe(404);
    expect((await request('soon', '?api-key=key-of-initech')).status).toBe(503);
  },
);

test('only requests with a valid session get a 503 while the channel is not on air yet', async () => {
  const { id: channelId, tenant } = channelOf('initech', 'soon');
  const session = {
    id: 'a-session',
    channelId,
    tenant,
    life: 'before',
    kind: 'schedule' as const,
    format: 'hls' as const,
    openedAt: millis(start),
  };
  const viewer = { address: '', userAgent: '' };
  await sqlSessions(sql).create({ ...session, parameters: {}, viewer }, { segments: [], discontinuities: 0 });
  for (const path of ['/hls/soon/SESSION/v0.m3u8', '/dash/soon/SESSION.mpd', '/hls/soon/master.m3u8?sid=SESSION']) {
    expect((await get(path.replace('SESSION', session.id))).status).toBe(503);
    expect((await get(path.replace('SESSION', 'no-session'))).status).toBe(404);
    expect((await get(path.replace('SESSION', session.id).replace('soon', 'one'))).status).toBe(404);
  }
});

test('a changed key is valid immediately', async () => {
  const channels = sqlChannels(sql);
  const channel = (await channels.find('acme', 'one'))!;
  await channels.replace({ ...channel, apiKey: 'the-new-key' });
  expect((await get('/hls/one/master.m3u8?api-key=the-new-key')).status).toBe(200);
  expect((await get('/hls/one/master.m3u8?api-key=key-of-acme')).status).toBe(403);
});
