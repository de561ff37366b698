// SPDX-License-Identifier: Apache-2.0
// Keys with labels: access to the channels that have one of them at the time of the request.
import { beforeEach, expect, test } from 'vitest';
import { clientOf, type Reply } from '../admin/client.ts';
import { onBothStores } from '../admin/onBothStores.ts';

const faultOf = ({ status, json }: Reply) => [status, json.data?.[0].keyword, json.data?.[0].dataPath];

onBothStores(({ admin, call }) => {
  beforeEach(async () => {
    const { db } = admin.store;
    for (const table of ['channels', 'playlists', 'deleted_records'] as const) await db.deleteFrom(table).execute();
    await call('POST', '/api/v2/playlists', { id: 'evening' });
    const source = { url: 'https://ads.example.com', labels: ['Sports'] };
    await call('POST', '/api/v2/channels', { id: 'own', labels: ['sports'], playlistId: 'evening' });
    await call('POST', '/api/v2/channels', { id: 'by-source', adSource: source });
    await call('POST', '/api/v2/channels', { id: 'other', labels: ['news'] });
    await call('POST', '/api/v2/channels', { id: 'plain' });
  });
  const keyOf = async (body: object) => {
    const { json, status } = await call('POST', '/api/v2/keys', body);
    expect(status).toBe(201);
    return { client: clientOf(admin.app, json.key), json };
  };
  const listed = async (by: typeof call) =>
    (await by('GET', '/api/v2/channels?sort=name')).json.map(({ id }: { id: string }) => id);

  test('it accesses channels by their labels and those of ad sources, in any case, and its own in addition', async () => {
    const { client, json } = await keyOf({ labels: ['SPORTS'] });
    expect(json).toMatchObject({ labels: ['SPORTS'] });
    expect(json).not.toHaveProperty('channels');
    expect(await listed(client)).toEqual(['by-source', 'own']);
    expect((await client('GET', '/api/v2/me')).json).toMatchObject({
      labels: ['SPORTS'],
      channels: ['own', 'by-source'],
    });
    expect((await client('GET', '/api/v2/channels/other')).status).toBe(404);
    expect((await client('GET', '/api/v2/on-air')).headers['x-total-count']).toBe('2');
    expect((await client('GET', '/api/v2/playlists')).json).toMatchObject([{ id: 'evening' }]);
    expect((await client('GET', '/api/v2/labels')).json).toEqual({
      channels: [{ label: 'sports', count: 2 }],
      playlists: [],
      adSources: [],
    });
    const both = await keyOf({ labels: ['sports'], channels: ['plain'] });
    expect(await listed(both.client)).toEqual(['by-source', 'own', 'plain']);
    const none = await keyOf({ labels: ['unused'] });
    expect([await listed(none.client), (await none.client('GET', '/api/v2/channels/own')).status]).toEqual([[], 404]);
    expect((await none.client('GET', '/api/v2/systems')).status).toBe(403);
  });

  test('access begins and ends with the label', async () => {
    const { client } = await keyOf({ labels: ['late'] });
    expect(await listed(client)).toEqual([]);
    await call('PATCH', '/api/v2/channels/plain', { labels: ['late'] });
    expect(await listed(client)).toEqual(['plain']);
    await call('PATCH', '/api/v2/channels/plain', { labels: null });
    expect(await listed(client)).toEqual([]);
  });

  test('who is restricted to channels changes no labels, whichever way', async () => {
    for (const limits of [{ labels: ['sports'] }, { channels: ['own', 'by-source'] }]) {
      const { client } = await keyOf(limits);
      const refused: [string, string, object][] = [
        ['PATCH', 'own', { labels: ['sports', 'news'] }],
        ['PATCH', 'own', { labels: null }],
        ['PATCH', 'own', { adSource: { url: 'https://ads.example.com', labels: ['news'] } }],
        ['PATCH', 'by-source', { adSource: null }],
        ['PUT', 'own', { name: 'Without' }],
      ];
      for (const [method, id, body] of refused)
        expect(faultOf(await client(method, `/api/v2/channels/${id}`, body))).toEqual([403, 'channels', '']);
      const changes = [{ method: 'PATCH', path: '/api/v2/channels/own', body: { labels: ['news'] } }];
      const { json } = await client('POST', '/api/v2/batch', { changes });
      expect(json.results[0]).toMatchObject({ status: 403, error: { data: [{ keyword: 'channels' }] } });
      expect((await client('PATCH', '/api/v2/channels/own', { name: 'Renamed', labels: ['Sports'] })).status).toBe(200);
      expect((await client('POST', '/api/v2/keys', { labels: ['sports'] })).status).toBe(403);
    }
    expect((await call('GET', '/api/v2/channels/own')).json.labels).toEqual(['Sports']);
  });

  test('a rotated key keeps its labels, and is never the last one that may do everything', async () => {
    const { json } = await keyOf({ labels: ['sports'] });
    const rotated = await call('POST', `/api/v2/keys/${json.id}/rotate`);
    expect(rotated.json).toMatchObject({ labels: ['sports'] });
    expect(await listed(clientOf(admin.app, rotated.json.key))).toEqual(['by-source', 'own']);
    // A version without labels sees a key for no channel.
    const row = await admin.store.db
      .selectFrom('api_keys')
      .select('channels')
      .where('id', '=', rotated.json.id)
      .executeTakeFirst();
    expect(row?.channels).toBe('[]');
  });

  test('labels are validated', async () => {
    const keyFault = async (labels: unknown) => faultOf(await call('POST', '/api/v2/keys', { labels }));
    expect(await keyFault([])).toEqual([422, 'minItems', '/labels']);
    expect(await keyFault(['a,b'])).toEqual([422, 'label', '/labels/0']);
    const fault = async (body: object) => faultOf(await call('PATCH', '/api/v2/channels/plain', body));
    expect(await fault({ labels: ['x', 'X'] })).toEqual([422, 'unique', '/labels/1']);
    expect(await fault({ labels: ['x'.repeat(41)] })).toEqual([422, 'maxLength', '/labels/0']);
    expect(await fault({ labels: Array.from({ length: 21 }, (_, index) => `${index}`) })).toEqual([
      422,
      'maxItems',
      '/labels',
    ]);
    const astral = '\u{10400}'.repeat(25);
    for (const label of [' x', 'x ', 'a\tb', 'a\nb', '<b>', 'a;b', '\u202e', `${astral}\nnews\tnews`])
      expect(await fault({ labels: [label] })).toEqual([422, 'label', '/labels/0']);
    expect(await fault({ labels: 'x' })).toEqual([422, 'type', '/labels']);
    expect(await fault({ adSource: { url: 'https://ads.example.com', labels: [''] } })).toEqual([
      422,
      'minLength',
      '/adSource/labels/0',
    ]);
    expect(faultOf(await call('GET', `/api/v2/channels?label=${'x'.repeat(41)}`))).toEqual([
      422,
      'maxLength',
      '/label/0',
    ]);
    expect((await call('GET', '/api/v2/channels?label=news,none&label=sports')).headers['x-total-count']).toBe('3');
    expect((await call('PATCH', '/api/v2/channels/plain', { labels: ['Z\u00fcrich', astral] })).status).toBe(200);
    for (const label of ['zu\u0308rich', 'Z\u00dcRICH', astral.toLowerCase()])
      expect((await call('GET', `/api/v2/channels?label=${encodeURIComponent(label)}`)).headers['x-total-count']).toBe(
        '1',
      );
    expect((await call('GET', '/api/v2/channels?label=')).headers['x-total-count']).toBe('4');
  });
});
