// SPDX-License-Identifier: Apache-2.0
// Ad sources and the channels that list them, on both stores: their fields, their secrets, who sees them, and what keeps one from
// being deleted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import { createCertificateCache } from '../../src/platform/adSources/rules/certificateCache.ts';
import { sqlAdSources } from '../../src/platform/adSources/store/sqlAdSources.ts';
import { type Client, clientOf, type Reply } from '../admin/client.ts';
import { onBothStores } from '../admin/onBothStores.ts';
import { naming } from '../naming.ts';
import { scratchFolder } from '../opened.ts';

function certificateOf(name: string): { readonly certificate: string; readonly key: string } {
  const folder = scratchFolder();
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key', '-out', 'cert'];
  execFileSync('openssl', ['req', '-x509', '-subj', `/CN=${name}`, ...key], { cwd: folder, stdio: 'ignore' });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { certificate: read('cert'), key: read('key') };
}
const [pair, another] = [certificateOf('one.test'), certificateOf('another.test')];

const vast = { type: 'vast', url: 'https://ads.example.com/vast?cb=[CACHEBUSTING]' };
const openrtb = { type: 'openrtb', url: 'https://bids.example.com/', template: { site: { id: '[CHANNEL_ID]' } } };
const creatives = [{ url: 'https://media.example.com/promo.mp4', title: 'Promo' }];
const house = { type: 'house', creatives };
const faultsOf = ({ status, json }: Reply) => [
  status,
  ...(json.data ?? []).map(({ dataPath }: { dataPath: string }) => dataPath),
];
const idsOf = ({ json }: Reply): string[] => json.map(({ id }: { id: string }) => id);

onBothStores(({ admin, call, other }) => {
  const api: Client = (method, path, ...rest) => call(method, `/api/v2${path}`, ...rest);
  const source = (id: string, fields: object = vast) => api('POST', '/ad-sources', { id, ...fields });
  const withKey = async (body: object): Promise<Client> => {
    const client = clientOf(admin.app, (await api('POST', '/keys', body)).json.key);
    return (method, path, ...rest) => client(method, `/api/v2${path}`, ...rest);
  };
  beforeEach(async () => {
    for (const table of ['channels', 'ad_sources', 'deleted_records', 'audit_log'] as const)
      await admin.store.db.deleteFrom(table).execute();
  });

  test('a source of each type is stored as it was sent, replaced, patched and deleted', async () => {
    const given = {
      vast: { ...vast, method: 'POST', params: { a: '[BREAK_ID]' }, timeoutMs: 500, maxPerSecond: 5 },
      openrtb: { ...openrtb, currency: 'EUR', floor: 1.5, floorPerSecond: 0.1 },
      house: { ...house, name: 'Promos', labels: ['own'] },
    };
    for (const [id, fields] of Object.entries(given)) {
      const made = await source(id, fields);
      expect([made.status, made.json]).toEqual([201, expect.objectContaining({ id, ...fields, __v: 0 })]);
      expect((await api('GET', `/ad-sources/${id}`)).text).toBe(made.text);
      expect((await api('PUT', `/ad-sources/${id}`, made.json)).json).toMatchObject({ ...fields, __v: 1 });
    }
    const stale = { 'if-match': '"0"' };
    expect((await api('PATCH', '/ad-sources/vast', { name: 'x' }, stale)).status).toBe(412);
    const patched = await api('PATCH', '/ad-sources/openrtb', { template: { site: { name: 'One' } }, floor: null });
    expect(patched.json.template).toEqual({ site: { id: '[CHANNEL_ID]', name: 'One' } });
    expect(patched.json).not.toHaveProperty('floor');
    const retyped = await api('PATCH', '/ad-sources/vast', { type: 'house', creatives });
    expect(faultsOf(retyped)).toEqual([422, '/url', '/timeoutMs', '/maxPerSecond', '/method', '/params']);
    expect((await source('vast')).json).toMatchObject({ code: 409, message: naming('"vast"') });
    expect((await other('GET', '/api/v2/ad-sources/vast')).status).toBe(404);
    const gone = await api('DELETE', '/ad-sources/vast');
    expect([gone.status, (await api('GET', '/ad-sources/vast')).status]).toEqual([204, 404]);
    const restored = await call('POST', gone.headers['x-restore']!);
    expect([restored.json, restored.headers.location]).toEqual([
      { kind: 'ad source', id: 'vast' },
      '/api/v2/ad-sources/vast',
    ]);
    expect((await api('GET', '/ad-sources/vast')).json).toMatchObject({ ...given.vast, __v: 1 });
  });

  test('lists are filtered by type, label and text, and have pages', async () => {
    await source('a', { ...vast, name: 'Direct', labels: ['Sports'] });
    await source('b', openrtb);
    await source('c', house);
    expect(idsOf(await api('GET', '/ad-sources'))).toEqual(['c', 'b', 'a']);
    expect(idsOf(await api('GET', '/ad-sources?type=openrtb'))).toEqual(['b']);
    expect(idsOf(await api('GET', '/ad-sources?label=sports'))).toEqual(['a']);
    expect(idsOf(await api('GET', '/ad-sources?q=DIR'))).toEqual(['a']);
    const first = await api('GET', '/ad-sources?limit=2');
    expect([idsOf(first), first.headers['x-total-count']]).toEqual([['c', 'b'], '3']);
    expect(idsOf(await api('GET', `/ad-sources?limit=2&cursor=${first.headers['x-next-cursor']}`))).toEqual(['a']);
    expect((await api('GET', '/labels')).json.adSources).toEqual([{ label: 'Sports', count: 1 }]);
  });

  test.each([
    [{}, ['/type']],
    [{ type: 'vmap' }, ['/type']],
    [{ ...vast, id: 'hook' }, ['/id']],
    [{ type: 'vast' }, ['/url']],
    [{ ...vast, url: 'ftp://ads' }, ['/url']],
    [{ ...vast, creatives, floor: 1 }, ['/creatives', '/floor']],
    [{ ...vast, headers: { Host: 'x' } }, ['/headers/Host']],
    [{ ...vast, timeoutMs: 99, maxPerSecond: 0 }, ['/timeoutMs', '/maxPerSecond']],
    [{ ...vast, maxPerSecond: 1.5 }, ['/maxPerSecond']],
    [{ ...openrtb, method: 'POST' }, ['/method']],
    [{ ...openrtb, currency: 'eur', floor: -1 }, ['/currency', '/floor']],
    [{ ...openrtb, template: [] }, ['/template']],
    [{ ...openrtb, template: { a: 'x'.repeat(100 * 1024) } }, ['/template']],
    [{ type: 'house' }, ['/creatives']],
    [{ type: 'house', creatives: [] }, ['/creatives']],
    [{ type: 'house', creatives: Array(501).fill(creatives[0]) }, ['/creatives']],
    [{ type: 'house', creatives: [{ url: 'x', title: '', weight: 0 }] }, ['title', 'weight', 'url']],
    [
      { type: 'house', creatives: [{ ...creatives[0], from: '2026-02-01T00:00Z', to: '2026-01-01T00:00Z' }] },
      ['/creatives/0/to'],
    ],
    [{ type: 'house', creatives: [{ ...creatives[0], from: 'tomorrow' }] }, ['/creatives/0/from']],
    [{ ...house, url: 'https://x/' }, ['/url']],
    [{ ...vast, labels: ['a,b'], secret: 1 }, ['/secret', '/labels/0']],
    [{ ...vast, clientCertificate: { certificate: pair.certificate } }, ['/clientCertificate/key']],
    [
      { ...vast, clientCertificate: { certificate: 'x', key: 'y' } },
      ['/clientCertificate/certificate', '/clientCertificate/key'],
    ],
    [
      { ...vast, clientCertificate: { ...pair, key: another.key, hosts: ['a b'] } },
      ['/clientCertificate/hosts/0', '/clientCertificate/key'],
    ],
  ])('invalid fields are named: %#', async (body, paths) => {
    const reply = await api('POST', '/ad-sources', body);
    const expected = paths.map((path) => (path.startsWith('/') ? path : `/creatives/0/${path}`));
    expect(faultsOf(reply)).toEqual([422, ...expected]);
  });

  test('the key of a client certificate is in no response, audit entry or table, and is kept until it is replaced', async () => {
    const made = await source('s', { ...vast, clientCertificate: { ...pair, hosts: ['Beacons.example.com'] } });
    const shown = { subject: 'CN=one.test', expiresAt: expect.any(String), hosts: ['beacons.example.com'] };
    expect([made.status, made.json.clientCertificate]).toEqual([201, shown]);
    const replies = [
      made,
      await api('PUT', '/ad-sources/s', made.json),
      await api('PATCH', '/ad-sources/s', { clientCertificate: { hosts: [] } }),
      await api('GET', '/ad-sources'),
      await api('GET', '/audit'),
    ];
    const store = sqlAdSources(admin.store, createSecretBox('a secret for tests'));
    expect(await store.find('acme', 's')).toMatchObject({ clientCertificate: { ...pair, hosts: [] } });
    replies.push(await api('PATCH', '/ad-sources/s', { clientCertificate: another }));
    expect(await store.find('acme', 's')).toMatchObject({ clientCertificate: { ...another, hosts: [] } });
    const gone = await api('DELETE', '/ad-sources/s');
    replies.push(gone, await api('GET', '/deleted'), await api('GET', '/audit'));
    const tables = ['ad_sources', 'deleted_records', 'audit_log', 'idempotency_keys'] as const;
    const stored = await Promise.all(tables.map((table) => admin.store.db.selectFrom(table).selectAll().execute()));
    replies.push(await call('POST', gone.headers['x-restore']!), await api('GET', '/ad-sources/s'));
    const all = `${replies.map(({ text }) => text).join()}${JSON.stringify(stored)}${admin.logged.join()}`;
    for (const { key } of [pair, another]) expect(all).not.toContain(key.split('\n')[1]);
    expect(replies.at(-1)!.json.clientCertificate.subject).toBe('CN=another.test');
    const audited = (await api('GET', '/audit?kind=ad source')).json;
    expect(audited.map(({ operation, outcome }: Reply['json']) => `${operation} ${outcome}`)).toContain(
      'deleteAdSource deleted',
    );
  });

  test('a source in use is not deleted: the response names the channels; in one batch with its removal it is', async () => {
    await source('a');
    await source('ab');
    for (const id of ['one', 'two']) await api('POST', '/channels', { id, adSteps: [{ sources: ['a'] }] });
    await api('POST', '/channels', { id: 'three', adSteps: [{ sources: ['ab'] }] });
    expect((await api('GET', '/channels?adSource=a&sort=name')).json.map(({ id }: { id: string }) => id)).toEqual([
      'one',
      'two',
    ]);
    const refused = await api('DELETE', '/ad-sources/a');
    expect(refused.json).toMatchObject({ code: 409, type: 'CONFLICT', message: naming('"a"', '"one"', '"two"') });
    expect(refused.json.data[0].params).toEqual({ channels: ['two', 'one'] });
    await api('DELETE', '/channels/two');
    const changes = [
      { method: 'PATCH', path: '/api/v2/channels/one', body: { adSteps: null } },
      { method: 'DELETE', path: '/api/v2/ad-sources/a' },
    ];
    expect((await api('POST', '/batch', { atomic: true, changes: changes.slice(1) })).json.applied).toBe(false);
    expect((await api('POST', '/batch', { atomic: true, changes })).json.applied).toBe(true);
    expect(idsOf(await api('GET', '/ad-sources'))).toEqual(['ab']);
  });

  test('steps, rules and hooks of a channel are validated, and their ad sources must exist', async () => {
    for (const id of ['a', 'b']) await source(id, { ...vast, url: `${vast.url}&x=[NONE_SUCH]` });
    const rules = {
      separateAdvertisers: 'adjacent',
      maxPerAdvertiser: 1,
      frequencyCaps: [{ per: 'creative', max: 3, hours: 0.5 }],
      viewerParameter: 'viewer',
      blockedCategories: ['IAB7-39'],
    };
    const demand = {
      adSteps: [{ sources: ['a'], timeShare: 40, request: 'break' }, { sources: ['b'] }],
      adBudgetMs: 1500,
      adRules: rules,
      adHooks: { requestUrl: 'https://hooks.example.com/', timeoutMs: 100 },
    };
    const made = await api('POST', '/channels', { id: 'one', ...demand, adSource: { url: vast.url } });
    const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.json).toMatchObject({ ...demand, adHooks: { ...demand.adHooks, secret } });
    const read = await api('GET', '/channels/one');
    expect(read.json.warnings).toEqual([
      naming('adSource'),
      naming('"a"', '[NONE_SUCH]'),
      naming('"b"', '[NONE_SUCH]'),
    ]);
    const replaced = await api('PUT', '/channels/one', demand);
    expect(replaced.json.adHooks).toEqual(made.json.adHooks);
    const given = `whsec_${'A'.repeat(32)}`;
    expect((await api('PATCH', '/channels/one', { adHooks: { secret: given } })).json.adHooks.secret).toBe(given);
    expect((await api('GET', '/audit')).text).not.toContain(made.json.adHooks.secret);

    const steps = (...sources: string[][]) => ({ adSteps: sources.map((ids) => ({ sources: ids })) });
    const cases: [object, string[]][] = [
      [steps(['a', 'none'], ['gone']), ['/adSteps/0/sources/1', '/adSteps/1/sources/0']],
      [steps(['a'], ['b', 'a']), ['/adSteps/1/sources/1']],
      [steps([]), ['/adSteps/0/sources']],
      [{ adSteps: [] }, ['/adSteps']],
      [{ adSteps: Array(6).fill({ sources: ['a'] }) }, ['/adSteps']],
      [{ adSteps: [{ sources: Array(11).fill('a') }] }, ['/adSteps/0/sources']],
      [{ adSteps: [{ sources: ['a'], timeShare: 100 }, { sources: ['b'] }] }, ['/adSteps']],
      [
        {
          adSteps: [
            { sources: ['a'], timeShare: 60 },
            { sources: ['b'], timeShare: 41 },
          ],
        },
        ['/adSteps'],
      ],
      [{ adSteps: [{ sources: ['a'], timeShare: 0, request: 'all' }] }, ['timeShare', 'request']],
      [{ adBudgetMs: 10 }, ['/adBudgetMs']],
      [{ adRules: { frequencyCaps: [{ per: 'ad', max: 0, hours: 721 }] } }, ['per', 'max', 'hours']],
      [{ adRules: { blockedCreatives: Array(1001).fill('x') } }, ['/adRules/blockedCreatives']],
      [{ adRules: { blockedCreatives: ['x'.repeat(201)], any: 1 } }, ['any', '/adRules/blockedCreatives/0']],
      [
        { adHooks: { adsUrl: 'file:///', timeoutMs: 49, secret: 'x' } },
        ['/adHooks/timeoutMs', '/adHooks/secret', '/adHooks/adsUrl'],
      ],
    ];
    for (const [patch, paths] of cases) {
      const [status, ...found] = faultsOf(await api('PATCH', '/channels/one', patch));
      expect([patch, status, found]).toEqual([patch, 422, paths.map((path) => expect.stringContaining(path))]);
    }
    // A step keeps a source that was there before.
    await admin.store.db.deleteFrom('ad_sources').where('id', '=', 'b').execute();
    expect((await api('PATCH', '/channels/one', steps(['b'], ['a']))).status).toBe(200);
    expect((await api('GET', '/channels/one')).json.warnings).toContainEqual(naming('"b"'));
  });

  test('a key that is restricted to channels sees and lists their sources only, and changes none', async () => {
    const headers = { 'x-partner': 'Bearer hunter2' };
    for (const id of ['mine', 'theirs-7']) await source(id, { ...vast, headers });
    const price = { template: { ext: { note: 'floor 7.77' } }, floor: 7.77, floorPerSecond: 7.77 };
    await source('bids', { ...openrtb, ...price });
    await api('POST', '/channels', { id: 'one', labels: ['partner'], adSteps: [{ sources: ['mine'] }] });
    await api('POST', '/channels', { id: 'two', adSteps: [{ sources: ['theirs-7'] }] });
    const adHooks = { adsUrl: 'https://hooks.example.com/' };
    const { secret } = (await api('PATCH', '/channels/one', { adHooks })).json.adHooks;
    const partner = await withKey({ labels: ['partner'] });
    expect(idsOf(await partner('GET', '/ad-sources'))).toEqual(['mine']);
    expect((await partner('GET', '/ad-sources/mine')).json.headers).toEqual(headers);
    expect((await partner('GET', '/ad-sources/theirs-7')).status).toBe(404);
    const taken = await partner('PATCH', '/channels/one', { adSteps: [{ sources: ['theirs-7'] }] });
    expect(faultsOf(taken)).toEqual([422, '/adSteps/0/sources/0']);
    for (const name of ['theirs-7', 'unknown', '\0'])
      expect(faultsOf(await partner('POST', '/channels/one/try', { source: name }))).toEqual([422, '/source']);
    expect((await partner('POST', '/channels/one/try', { source: 'mine' })).status).toBe(200);
    const both = await partner('POST', '/channels/one/try', { source: 'mine', url: vast.url });
    expect(faultsOf(both)).toEqual([422, '/url']);
    const names = { mine: 'Mine', 'theirs-7': 'Theirs' };
    for (const [id, name] of Object.entries(names)) await api('PATCH', `/ad-sources/${id}`, { name });
    const named = async (client: Client) => (await client('GET', '/names?adSources=mine,theirs-7,bids')).json.adSources;
    expect([await named(api), await named(partner)]).toEqual([names, { mine: 'Mine' }]);
    for (const [method, path] of [
      ['PATCH', '/ad-sources/mine'],
      ['DELETE', '/ad-sources/mine'],
      ['POST', '/ad-sources'],
    ] as const)
      expect((await partner(method, path, method === 'DELETE' ? undefined : vast)).status).toBe(403);
    for (const scope of ['read', 'operate']) {
      const reader = await withKey({ scope });
      for (const path of ['/ad-sources', '/ad-sources/mine', '/ad-sources/bids', '/channels/one', '/channels']) {
        const { status, text } = await reader('GET', path);
        expect([path, status]).toEqual([path, 200]);
        expect(text).not.toMatch(/hunter2|whsec|7\.77/);
        expect(text).not.toContain(secret);
      }
      expect((await reader('PATCH', '/ad-sources/mine', { name: 'x' })).status).toBe(403);
    }
    await api('POST', '/channels', { id: 'three', adSource: { url: vast.url } });
    const tried = await (await withKey({ scope: 'operate' }))('POST', '/channels/three/try', { source: 'mine' });
    expect([tried.status, tried.json.exchanges[0].headers['x-partner']]).toEqual([200, '***']);
  });

  test('the certificates of all tenants are read again when an ad source has changed', async () => {
    const cache = createCertificateCache(sqlAdSources(admin.store, createSecretBox('a secret for tests')));
    let reads = 0;
    cache.follow(() => {
      reads += 1;
    });
    const found = async (tenant: string, host: string) => {
      await cache.refresh();
      return cache.find(tenant, host)?.key;
    };
    expect(await found('acme', 'ads.example.com')).toBeUndefined();
    await source('plain');
    await source('s', { ...vast, clientCertificate: { ...pair, hosts: ['*.example.net'] } });
    expect(await found('acme', 'ads.example.com')).toBe(pair.key);
    expect(await found('acme', 't.example.net')).toBe(pair.key);
    expect(await found('globex', 'ads.example.com')).toBeUndefined();
    expect(reads).toBe(2);
    await api('PATCH', '/ad-sources/s', { clientCertificate: another });
    expect(await found('acme', 'ads.example.com')).toBe(another.key);
    await api('DELETE', '/ad-sources/s');
    expect(await found('acme', 'ads.example.com')).toBeUndefined();
    expect(reads).toBe(4);
  });
});
