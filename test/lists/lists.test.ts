// SPDX-License-Identifier: Apache-2.0
// Lists of playlists, channels and assets: searching, filtering, sorting and cursors.
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { clientOf } from '../admin/client.ts';
import { expectError } from '../admin/expectError.ts';
import { onBothStores } from '../admin/onBothStores.ts';

onBothStores(({ admin, call }) => {
  const ids = async (path: string) => (await call('GET', `/api/v2/${path}`)).json.map(({ id }: { id: string }) => id);
  const playlists = [
    { id: 'p1', name: 'Évening Loop', type: 'vod2live', status: 'enabled' },
    { id: 'p2', name: 'morning', type: 'vod' },
    { id: 'P3-x' },
    { id: 'p4', name: 'Zebra 100%', status: 'enabled' },
    { id: 'p5', name: 'alpha_\u0000beta' },
  ];

  beforeAll(async () => {
    for (const playlist of playlists) expect((await call('POST', '/api/v2/playlists', playlist)).status).toBe(201);
    await call('POST', '/api/v2/channels', {
      id: 'c1',
      name: 'News',
      state: 'enabled',
      playlistId: 'p1',
      type: 'vod2live',
    });
    await call('POST', '/api/v2/channels', { id: 'c2', name: 'news at ten', type: 'live' });
    await call('POST', '/api/v2/channels', { id: 'c3', type: 'vod' });
    await call('POST', '/api/v2/playlists', { id: 'theirs' });
    await clientOf(admin.app, admin.otherKey)('POST', '/api/v2/playlists', {
      id: 'secret',
      name: 'Evening of globex',
    });
  });

  test.each([
    ['playlists?q=LOOP', ['p1']],
    ['playlists?q=%C3%89VENING', ['p1']],
    ['playlists?q=p3', ['P3-x']],
    ['playlists?q=100%25', ['p4']],
    ['playlists?q=_', ['p5']],
    ['playlists?q=', ['theirs', 'p5', 'p4', 'P3-x', 'p2', 'p1']],
    ["playlists?q=' or 1=1 --", []],
    ['playlists?q=globex', []],
    ['playlists?status=enabled', ['p4', 'p1']],
    ['playlists?status=disabled&type=vod', ['p2']],
    ['playlists?status=enabled&q=zebra', ['p4']],
    ['playlists?sort=name', ['p5', 'p2', 'P3-x', 'theirs', 'p4', 'p1']],
    ['playlists?sort=-name&limit=2', ['p1', 'p4']],
    ['playlists?sort=createdAt&limit=2', ['p1', 'p2']],
    ['playlists?sort=-createdAt&limit=2&offset=1', ['p5', 'p4']],
    ['channels?q=NEWS&sort=name', ['c1', 'c2']],
    ['channels?state=enabled', ['c1']],
    ['channels?type=live', ['c2']],
    ['channels?playlist=p1', ['c1']],
    ['channels?playlist=p2', []],
    ['on-air?q=NEWS&sort=-name', ['c2', 'c1']],
    ['on-air?state=enabled&type=vod2live&playlist=p1', ['c1']],
    ['on-air?type=vod&label=none', []],
  ])('%s', async (path, expected) => {
    expect(await ids(path)).toEqual(expected);
    const { headers } = await call('GET', `/api/v2/${path}`);
    if (!/limit/.test(path)) expect(headers['x-total-count']).toBe(String(expected.length));
  });

  test('sorts by the time of the last change', async () => {
    await call('PATCH', '/api/v2/playlists/p2', { name: 'Morning' });
    expect((await ids('playlists?sort=-modifiedAt'))[0]).toBe('p2');
    expect((await ids('playlists?sort=modifiedAt')).at(-1)).toBe('p2');
    expect(await ids('playlists?q=morning')).toEqual(['p2']);
  });

  test.each(['name', '-name', 'createdAt', '-createdAt', 'modifiedAt', '-modifiedAt'])(
    'pages by cursor are complete in the order of %s',
    async (sort) => {
      const all = await ids(`playlists?sort=${sort}&limit=100`);
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await call('GET', `/api/v2/playlists?sort=${sort}&limit=2${after}`);
        expect(page.headers['x-total-count']).toBe(String(all.length));
        found.push(...page.json.map(({ id }: { id: string }) => id));
        cursor = page.headers['x-next-cursor'];
      } while (cursor !== undefined);
      expect(found).toEqual(all);
    },
  );

  test('a page by cursor does not shift when records are created or deleted', async () => {
    const first = await call('GET', '/api/v2/playlists?limit=2');
    await call('POST', '/api/v2/playlists', { id: 'newer' });
    const next = await ids(`playlists?limit=2&cursor=${first.headers['x-next-cursor']}`);
    expect(next).toEqual(['p4', 'P3-x']);
    await call('DELETE', '/api/v2/playlists/newer');
  });

  test.each([
    ['playlists?sort=title', '/sort'],
    ['playlists?sort=name&sort=-name', '/sort'],
    ['playlists?status=failed', '/status'],
    ['playlists?type=live', '/type'],
    ['playlists?q=%00', '/q'],
    [`playlists?q=${'x'.repeat(201)}`, '/q'],
    ['playlists?cursor=abc', '/cursor'],
    [`playlists?cursor=${Buffer.from('["name",false,{"a":1},1]').toString('base64url')}&sort=name`, '/cursor'],
    [`playlists?cursor=${Buffer.from('["name",false,"a",1]').toString('base64url')}`, '/cursor'],
    ['channels?state=failed', '/state'],
    ['channels?playlist=%00', '/playlist'],
    ['assets?sort=name', '/sort'],
    ['assets?kind=film', '/kind'],
    ['names?channels=%00', '/channels'],
    [`names?playlists=${Array.from({ length: 101 }, (_, n) => n).join(',')}`, '/playlists'],
  ])('rejects %s', async (path, dataPath) => {
    const reply = await call('GET', `/api/v2/${path}`);
    expectError(reply, 422, 'VALIDATION_ERROR');
    expect(reply.json.data).toMatchObject([{ dataPath }]);
  });

  test('unknown parameters are ignored, as in all queries', async () => {
    expect(await ids('playlists?title=x&limit=1')).toEqual(['theirs']);
  });

  test('names by id are those of the tenant', async () => {
    const [system] = (await call('GET', '/api/v2/systems')).json;
    const query = `channels=c1,c3,unknown&playlists=p1,secret&systems=${system.id}`;
    expect((await call('GET', `/api/v2/names?${query}`)).json).toEqual({
      channels: { c1: 'News' },
      playlists: { p1: 'Évening Loop' },
      systems: { [system.id]: system.name },
      adSources: {},
    });
  });

  test('a key that is restricted to channels gets the same lists of its own records, and no audit log', async () => {
    const { json: key } = await call('POST', '/api/v2/keys', { name: 'Own', channels: ['c1', 'c3'] });
    const own = clientOf(admin.app, key.key);
    const listed = async (path: string) =>
      (await own('GET', `/api/v2/${path}`)).json.map(({ id }: { id: string }) => id);
    expect(await listed('channels?sort=name')).toEqual(['c3', 'c1']);
    expect(await listed('channels?q=NEWS')).toEqual(['c1']);
    expect(await listed('channels?type=vod&state=disabled')).toEqual(['c3']);
    expect(await listed('channels?playlist=p1')).toEqual(['c1']);
    expect(await listed('playlists?sort=-modifiedAt')).toEqual(['p1']);
    expect(await listed('playlists?status=disabled')).toEqual([]);
    const names = await own('GET', '/api/v2/names?channels=c1,c2&playlists=p4');
    expect(names.json).toEqual({ channels: { c1: 'News' }, playlists: {}, systems: {}, adSources: {} });
    expectError(await own('GET', '/api/v2/audit'), 403, 'Forbidden');
  });

  test('assets are searched, filtered, sorted and paged', async () => {
    const urls = [
      'https://ads.example.com/One.mp4?token=s3cret',
      'https://ads.example.com/two.mp4',
      'https://ads.example.com/three.mp4',
    ];
    const made: string[] = [];
    for (const mediaUrl of urls)
      made.push((await call('POST', '/api/v2/assets', { mediaUrl, channels: ['c1'] })).json.assets[0].id);
    expect(await ids('assets?q=ONE.MP4')).toEqual([made[0]]);
    expect(await ids(`assets?q=${made[1]!.slice(0, 12)}`)).toEqual([made[1]]);
    // Secrets cannot be guessed by searching.
    expect(await ids('assets?q=s3cret')).toEqual([]);
    expect(await ids('assets?sort=createdAt')).toEqual(made);
    expect(await ids('assets?kind=slate')).toEqual([]);
    await admin.store.db.updateTable('creatives').set({ made_at: 5 }).where('id', '=', made[1]!).execute();
    for (const sort of ['createdAt', '-createdAt', 'madeAt', '-madeAt']) {
      const all = await ids(`assets?sort=${sort}`);
      const first = await call('GET', `/api/v2/assets?sort=${sort}&limit=2`);
      const rest = await ids(`assets?sort=${sort}&limit=2&cursor=${first.headers['x-next-cursor']}`);
      expect([...first.json.map(({ id }: { id: string }) => id), ...rest]).toEqual(all);
    }
    expect((await ids('assets?sort=-madeAt'))[0]).toBe(made[1]);
  });

  test('searching many playlists reads their columns, not their bodies', async () => {
    const plan = await sql<{ detail?: string; 'QUERY PLAN'?: string }>`${sql.raw(
      admin.store.kind === 'sqlite' ? 'explain query plan' : 'explain',
    )} select count(*) from playlists where tenant = 'acme' and name_key = 'x'`.execute(admin.store.db);
    if (admin.store.kind === 'sqlite')
      expect(plan.rows.map(({ detail }) => detail).join()).toMatch(/covering index playlists_by_name/i);
    else expect(plan.rows.length).toBeGreaterThan(0);
  });
});
