// SPDX-License-Identifier: Apache-2.0
// The list of changes of live origins, on both stores.
import { beforeAll, expect, test } from 'vitest';
import { sqlLiveFeeds } from '../../src/adapters/sql/live/sqlLiveFeeds.ts';
import { sqlOriginEvents } from '../../src/adapters/sql/live/sqlOriginEvents.ts';
import { defaultLadder } from '../../src/planning/airChannel.ts';
import { millis } from '../../src/time/units.ts';
import { expectError } from './expectError.ts';
import { onBothStores } from './onBothStores.ts';

const NOW = 1_772_366_400_000;
const url = 'https://origin.test/live.m3u8';
const iso = (second: number) => new Date(NOW + second * 1000).toISOString();

onBothStores(({ admin, call }) => {
  const list = (query = '', channel = 'events') => call('GET', `/api/v2/channels/${channel}/origin-events${query}`);
  beforeAll(async () => {
    await call('POST', '/api/v2/channels', { id: 'events', type: 'live' });
    await call('POST', '/api/v2/channels', { id: 'no-events', type: 'live' });
    await call('POST', '/api/v2/channels', { id: 'loop' });
    const { store } = admin;
    await sqlLiveFeeds(store).begin({
      ...{ channelId: 'events', tenant: 'acme', life: 'l', format: 'hls', serves: 'hls', url, startedAt: millis(NOW) },
      ...{ ladder: defaultLadder, rungs: [], slateId: 'slate' },
    });
    const events = sqlOriginEvents(store);
    const at = (second: number) => ({ at: millis(NOW + second * 1000), origin: 'hls' as const });
    await events.record('l', { ...at(0), state: 'ok', onAir: 'source', url });
    await events.record('l', { ...at(60), state: 'failing', onAir: 'slate', reason: 'Status 503.' });
  });

  test('lists changes newest first, in pages and time ranges', async () => {
    const ok = { at: iso(0), origin: 'hls', state: 'ok', onAir: 'source', url };
    const failing = { at: iso(60), origin: 'hls', state: 'failing', onAir: 'slate', reason: 'Status 503.' };
    const reply = await list();
    expect(reply).toMatchObject({ status: 200, headers: { 'x-total-count': '2' } });
    expect(reply.json).toEqual({ total: 2, items: [failing, ok] });
    expect((await list('?offset=1&limit=1')).json).toEqual({ total: 2, items: [ok] });
    expect((await list(`?from=${iso(1)}`)).json).toEqual({ total: 1, items: [failing] });
    expect((await list(`?to=${NOW / 1000 + 60}`)).json).toEqual({ total: 1, items: [ok] });
    expect((await list('', 'no-events')).json).toEqual({ total: 0, items: [] });
  });

  test('refuses other types, unknown channels and invalid ranges', async () => {
    const other = await list('', 'loop');
    expectError(other, 409, 'CONFLICT');
    expect(other.json.message).toContain('"vod2live"');
    expectError(await list('', 'unknown'), 404, 'NOT_FOUND');
    expectError(await list('?from=yesterday'), 422, 'VALIDATION_ERROR');
    expectError(await list(`?from=${iso(1)}&to=${iso(0)}`), 422, 'VALIDATION_ERROR');
    expectError(await list('?limit=0'), 422, 'VALIDATION_ERROR');
  });
});
