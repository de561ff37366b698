// SPDX-License-Identifier: Apache-2.0
// Channels of several tenants with the same id on the live port: each key opens its own channel, and responses without the
// key reveal nothing.

import { expect, test } from 'vitest';
import { airingOf, syntheticChannel } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { opened } from '../../../test/opened.ts';
import { serveLive } from '../../../test/servers/liveServer.ts';
import { channelOf, fresh, sessionOf } from '../../../test/stores/records.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import type { Channel } from '../../channels/channel.ts';
import { openSqlite } from '../../database.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import { millis } from '../../time/units.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const keyed = (tenant: string, id = 'one', apiKey = `key-of-${tenant}`): Channel =>
  channelOf(id, { tenant, type: 'vod2live', apiKey });
function onAir(channel: Channel) {
  const name = `${channel.tenant}-asset`;
  const shape = { segments: new Array(20).fill(50) };
  return airingOf(syntheticChannel([{ asset: syntheticAsset({ name, ...shape }), cuePoints: [] }], start), 30);
}

/** What other processes have stored, and what this one has read. */
let stored = [keyed('acme'), keyed('globex'), keyed('initech', 'soon')];
let known = stored;
const airings = new Map(stored.slice(0, 2).map((channel) => [channel.tenant, onAir(channel)]));
const enabled = (): EnabledChannel[] =>
  known.map((channel) => {
    const airing = airings.get(channel.tenant);
    return { channel, airing: airing && { ...airing, channel } };
  });

const served: string[] = [];

const sql = await opened(openSqlite(':memory:'));
const live = await opened(
  serveLive({
    airings: {
      find: ({ tenant, id }) => enabled().find(({ channel }) => channel.tenant === tenant && channel.id === id),
      named: (id) => enabled().filter(({ channel }) => channel.id === id),
      async refreshOnMiss() {
        const isChanged = known !== stored;
        known = stored;
        return isChanged;
      },
      revision: () => (known === stored ? 1 : 0),
    },
    sessions: sqlSessions(sql),
    now: () => millis(start + 60_000),
    observe: { opened: () => {}, watched: () => {}, served: ({ tenant, id }) => void served.push(`${tenant}/${id}`) },
  }),
);
const base = live.url;

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

test('the key selects the channel whose own view everyone gets', async () => {
  for (const tenant of ['acme', 'globex']) {
    for (const path of [
      'hls/one/channel/v0.m3u8',
      'hls/one/guided/v0.m3u8',
      'dash/one/channel.mpd',
      'dash/one/guided.mpd',
    ]) {
      const { text } = await get(`/${path}?api-key=key-of-${tenant}`);
      expect(text, path).toContain(`${tenant}-asset`);
      expect(text.replaceAll(`${tenant}-asset`, ''), path).not.toContain('-asset');
    }
  }
});

test.each([
  ...['/hls/ID/master.m3u8', '/hls/view/ID', '/dash/view/ID'],
  ...['/hls/ID/channel.m3u8', '/hls/ID/channel/v0.m3u8', '/hls/ID/guided/v0.m3u8', '/dash/ID/channel.mpd'],
])('without the key, responses do not reveal whether a channel is on air: %s', async (path) => {
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
});

test('only requests with a valid session get a 503 while the channel is not on air yet', async () => {
  const session = { ...sessionOf('a-session', millis(start)), tenant: 'initech', channelId: 'soon', life: 'before' };
  await sqlSessions(sql).create(session, fresh);
  for (const path of ['/hls/soon/SESSION/v0.m3u8', '/dash/soon/SESSION.mpd', '/hls/soon/master.m3u8?sid=SESSION']) {
    expect((await get(path.replace('SESSION', session.id))).status).toBe(503);
    expect((await get(path.replace('SESSION', 'no-session'))).status).toBe(404);
    expect((await get(path.replace('SESSION', session.id).replace('soon', 'one'))).status).toBe(404);
  }
});

test('a changed key is valid immediately', async () => {
  stored = [keyed('acme', 'one', 'the-new-key'), ...stored.slice(1)];
  expect((await get('/hls/one/master.m3u8?api-key=the-new-key')).status).toBe(200);
  expect((await get('/hls/one/master.m3u8?api-key=key-of-acme')).status).toBe(403);
});
