// SPDX-License-Identifier: Apache-2.0
// The system routes on both stores.
import { expect, test } from 'vitest';
import { onBothStores } from './onBothStores.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

onBothStores(({ admin, call }) => {
  test('a new tenant has one ssai system', async () => {
    const { status, json } = await call('GET', '/api/v2/systems');
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        id: expect.stringMatching(uuid),
        name: 'Midroll',
        type: 'ssai',
        settings: {},
        createdBy: 'ann@example.com',
        createdAt: expect.stringMatching(time),
        tenant: 'acme',
        __v: 0,
      },
    ]);
    const reports = await call('GET', `/api/v2/systems/${json[0].id}/reports`);
    expect(reports.json).toEqual([
      'viewers',
      'requests',
      'breaks',
      'ad-requests',
      'ad-sources',
      'demand-funnel',
      'ads',
      'skips',
      'beacons',
      'creatives',
    ]);
  });

  test('systems can be created, changed and deleted; settings are returned as stored and not logged', async () => {
    const settings = { storageAccount: 'acct', storageKey: 'k/+= "ü"', clientSecret: 'dont-log-me-1' };
    const created = await call('POST', '/api/v2/systems', { name: 'Cloud', type: 'cloud-media-services', settings });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      name: 'Cloud',
      type: 'cloud-media-services',
      settings,
      tenant: 'acme',
      __v: 0,
    });
    expect(created.headers['cache-control']).toBe('no-store');
    const path = `/api/v2/systems/${created.json.id}`;
    expect(created.headers.location).toBe(path);
    expect((await call('GET', `${path}/reports`)).json).toEqual(['storage', 'creatives']);
    const again = { ...created.json, name: 'Renamed' };
    const replaced = await call('PUT', path, again);
    expect(replaced.json).toEqual({
      ...again,
      __v: 1,
      modifiedBy: 'ann@example.com',
      modifiedAt: expect.stringMatching(time),
    });
    const patched = await call('PATCH', path, { settings: { storageKey: null, container: 'c' } });
    expect(patched.json.settings).toEqual({ storageAccount: 'acct', clientSecret: 'dont-log-me-1', container: 'c' });
    const wrong = await call('PUT', path, { name: 'x', type: 'ssai', settings: { storageKey: 'x', url: 5 } });
    expect(wrong.status).toBe(422);
    expect(wrong.json.data.map((fault: { dataPath: string }) => fault.dataPath).sort()).toEqual([
      '/settings/storageKey',
      '/settings/url',
    ]);
    expect((await call('GET', '/api/v2/systems')).json).toHaveLength(2);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect(admin.logged.join('')).not.toMatch(/dont-log-me/);
    const { body } = await admin.store.db.selectFrom('systems').select('body').executeTakeFirstOrThrow();
    expect(body).not.toContain('settings');
  });

  test.each([{ toString: 'url' }, 'constructor', '__proto__', 7, null])('rejects a system of type %j', async (type) => {
    const { status, json } = await call('POST', '/api/v2/systems', { type, settings: { url: 'x' } });
    expect(status).toBe(422);
    expect(json.data).toContainEqual(expect.objectContaining({ dataPath: '/type' }));
  });
});
