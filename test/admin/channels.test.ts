// SPDX-License-Identifier: Apache-2.0
// The channel routes on both stores.
import { beforeAll, expect, test } from 'vitest';
import { onBothStores } from './onBothStores.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

onBothStores(({ call }) => {
  beforeAll(() => call('POST', '/api/v2/playlists', { id: 'mine' }));

  test('a channel has defaults, keeps its key, and must reference existing records', async () => {
    const made = await call('POST', '/api/v2/channels', { id: 'c1', playlistId: 'mine', state: 'enabled' });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: 'c1',
      type: 'vod2live',
      state: 'enabled',
      apiKey: expect.stringMatching(/^[\w-]{32}$/),
      playlistId: 'mine',
      playlistSize: 60,
      timeShiftWindow: 0,
      tracking: 'server',
      createdBy: 'ann@example.com',
      createdAt: expect.stringMatching(time),
      tenant: 'acme',
      __v: 0,
    });
    const { playlistId: _, apiKey, ...rest } = made.json;
    const replaced = await call('PUT', '/api/v2/channels/c1', {
      ...rest,
      state: 'failed',
      stateReason: 'x',
      items: [],
    });
    expect(replaced.json).toMatchObject({ apiKey, state: 'enabled' });
    expect(replaced.json).not.toHaveProperty('playlistId');
    expect(replaced.json).not.toHaveProperty('stateReason');
    const dangling = await call('PATCH', '/api/v2/channels/c1', { playlistId: 'none', systemId: 'none' });
    expect(dangling.json.data).toMatchObject([{ dataPath: '/playlistId' }, { dataPath: '/systemId' }]);
    const adSource = { url: 'https://ads/x', headers: { a: 'b' }, params: { p: 'q' } };
    await call('PATCH', '/api/v2/channels/c1', { adSource });
    const patched = await call('PATCH', '/api/v2/channels/c1', { adSource: { headers: { a: null, c: 'd' } } });
    expect(patched.json.adSource).toEqual({ ...adSource, headers: { c: 'd' } });
    expect((await call('GET', '/api/v2/channels')).json).toEqual([patched.json]);
    expect((await call('POST', '/api/v2/channels', { id: 'schema' })).status).toBe(422);
    expect((await call('GET', '/api/v2/channels/schema')).json).toMatchObject({
      type: 'object',
      additionalProperties: false,
    });
    expect((await call('DELETE', '/api/v2/channels/c1')).status).toBe(204);
  });

  test('a channel whose playlist was deleted can still be read and changed', async () => {
    await call('POST', '/api/v2/playlists', { id: 'going' });
    const { json } = await call('POST', '/api/v2/channels', { id: 'c2', playlistId: 'going', state: 'enabled' });
    await call('DELETE', '/api/v2/playlists/going');
    expect((await call('PUT', '/api/v2/channels/c2', { ...json, state: 'disabled' })).json.state).toBe('disabled');
  });
});
