// SPDX-License-Identifier: Apache-2.0
// The stores of tenants, API keys, systems, playlists and channels, on both databases.
import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../test/servers/sqlStores.ts';
import { airingOf, channelOf, editionOf, written } from '../../../test/stores/records.ts';
import type { Channel } from '../../channels/channel.ts';
import type { Playlist } from '../../channels/playlist.ts';
import { issueKey } from '../../platform/access/rules/apiKey.ts';
import { sqlApiKeys } from '../../platform/access/store/sqlApiKeys.ts';
import { sqlTenants } from '../../platform/access/store/sqlTenants.ts';
import { ownSystem } from '../../platform/systems/rules/system.ts';
import { sqlSystems } from '../../platform/systems/store/sqlSystems.ts';
import { sqlAirings } from './channels/sqlAirings.ts';
import { sqlChannels } from './channels/sqlChannels.ts';
import { sqlPlaylists } from './channels/sqlPlaylists.ts';
import { createSecretBox } from './secrets/secretBox.ts';

const at = written.createdAt;
const awkward = 'ünï ☃ 🎬 "quotes" <xml>&amp; \'; drop table playlists; -- \u0000 \ud800 \u2028';
const playlist = (id: string, more: Partial<Playlist> = {}): Playlist => ({
  id,
  tenant: 'acme',
  status: 'disabled',
  ...written,
  ...more,
});
const channel = (id: string, more: Partial<Channel> = {}) => channelOf(id, { state: 'disabled', ...more });

onEachOpenStore((store) => {
  beforeEach(async () => {
    for (const table of ['playlists', 'channels', 'systems', 'api_keys', 'tenants'] as const)
      await store.db.deleteFrom(table).execute();
  });
  const box = createSecretBox('a secret of the test');

  test('a record is read back exactly as stored', async () => {
    const playlists = sqlPlaylists(store);
    const stored = playlist('a', {
      name: awkward,
      contents: [{ sourceType: 'url', url: 'https://x/?a=1&b=2', duration: 42.42, cuePoints: [] }],
    });
    expect(await playlists.insert(stored)).toBe(true);
    expect(await playlists.find('acme', 'a')).toEqual({ ...stored, version: 0 });
  });

  test('an id is unique per tenant; a channel’s id with its key is unique across tenants', async () => {
    const playlists = sqlPlaylists(store);
    expect(await playlists.insert(playlist('a', { name: 'first' }))).toBe(true);
    expect(await playlists.insert(playlist('a', { name: 'second' }))).toBe(false);
    expect(await playlists.insert(playlist('a', { tenant: 'globex' }))).toBe(true);
    expect((await playlists.find('acme', 'a'))?.name).toBe('first');
    const channels = sqlChannels(store);
    const theirs = channel('c', { tenant: 'globex', apiKey: 'theirs' });
    expect(await channels.insert(channel('c'))).toBe('stored');
    expect(await channels.insert(channel('c', { apiKey: 'another' }))).toBe('idTaken');
    expect(await channels.insert({ ...theirs, apiKey: channel('c').apiKey })).toBe('keyTaken');
    expect(await channels.insert(theirs)).toBe('stored');
    expect(await channels.replace({ ...theirs, apiKey: channel('c').apiKey, version: 0 })).toBe('keyTaken');
    expect((await channels.find('acme', 'c'))?.apiKey).toBe(channel('c').apiKey);
    expect((await channels.find('globex', 'c'))?.apiKey).toBe('theirs');
  });

  test('a tenant cannot find, replace or remove records of another tenant', async () => {
    const channels = sqlChannels(store);
    await channels.insert(channel('c'));
    expect(await channels.replace({ ...channel('c', { tenant: 'globex' }), version: 0 })).toBe('changed');
    expect(await channels.remove('globex', 'c')).toBe(false);
    expect((await channels.list('globex', { offset: 0, limit: 9 })).total).toBe(0);
    expect((await channels.find('acme', 'c'))?.tenant).toBe('acme');
    expect(await channels.find('globex', 'c')).toBeUndefined();
  });

  test('a record is replaced or removed only in the version that was read', async () => {
    const playlists = sqlPlaylists(store);
    await playlists.insert(playlist('a'));
    const read = (await playlists.find('acme', 'a'))!;
    expect(await playlists.replace({ ...read, name: 'one' })).toBe(true);
    expect(await playlists.replace({ ...read, name: 'two' })).toBe(false);
    expect(await playlists.find('acme', 'a')).toEqual({ ...playlist('a', { name: 'one' }), version: 1 });
    expect(await playlists.remove('acme', 'a', 0)).toBe(false);
    expect(await playlists.remove('acme', 'a', 1)).toBe(true);
    expect(await playlists.find('acme', 'a')).toBeUndefined();
  });

  test('of several replacements of the same version, one succeeds', async () => {
    const playlists = sqlPlaylists(store);
    await playlists.insert(playlist('a'));
    const read = (await playlists.find('acme', 'a'))!;
    const attempts = Array.from({ length: 20 }, (_, n) => playlists.replace({ ...read, name: `${n}` }));
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    expect((await playlists.find('acme', 'a'))?.version).toBe(1);
  });

  test('lists are newest first, in pages, with the total', async () => {
    const playlists = sqlPlaylists(store);
    for (let n = 0; n < 25; n += 1) await playlists.insert(playlist(`p${n}`));
    await playlists.insert(playlist('other', { tenant: 'globex' }));
    const ids = async (offset: number, limit: number) => {
      const { total, items } = await playlists.list('acme', { offset, limit });
      expect(total).toBe(25);
      return items.map(({ id }) => id);
    };
    expect(await ids(0, 3)).toEqual(['p24', 'p23', 'p22']);
    expect(await ids(23, 10)).toEqual(['p1', 'p0']);
    expect(await ids(25, 10)).toEqual([]);
  });

  test('channels are found by their stored state and playlist', async () => {
    const channels = sqlChannels(store);
    await channels.insert(channel('c1', { playlistId: 'p' }));
    await channels.insert(channel('c2', { playlistId: 'p', state: 'enabled' }));
    await channels.insert(channel('c3', { playlistId: 'p', tenant: 'globex', state: 'enabled' }));
    expect((await channels.enabled()).map(({ id }) => id)).toEqual(['c2', 'c3']);
    expect((await channels.playing('acme', 'p')).map(({ id }) => id)).toEqual(['c1', 'c2']);
    const { playlistId: _, ...rest } = (await channels.find('acme', 'c2'))!;
    await channels.replace({ ...rest, state: 'disabled' });
    expect((await channels.enabled()).map(({ id }) => id)).toEqual(['c3']);
    expect((await channels.playing('acme', 'p')).map(({ id }) => id)).toEqual(['c1']);
  });

  test('enabled channels are the stored ones, and those that have not changed are not decoded again', async () => {
    const channels = sqlChannels(store);
    const enabled = (id: string) => channel(id, { state: 'enabled' });
    for (const one of [enabled('a'), enabled('b'), channel('off')]) await channels.insert(one);
    const [a, b, ...none] = await channels.enabled();
    expect([a, b, none]).toEqual([{ ...enabled('a'), version: 0 }, { ...enabled('b'), version: 0 }, []]);

    await channels.replace({ ...b!, playlistSize: 90 });
    const after = await channels.enabled();
    expect(after).toEqual([a, { ...b, playlistSize: 90, version: 1 }]);
    expect(after[0]).toBe(a);

    // The same text under another version.
    await channels.replace({ ...after[0]! });
    expect(await channels.enabled()).toEqual([{ ...a, version: 1 }, after[1]]);
    await channels.replace({ ...after[1]!, state: 'disabled' });
    await channels.remove('acme', 'a');
    expect(await channels.enabled()).toEqual([]);
    await channels.insert(enabled('a'));
    expect(await channels.enabled()).toEqual([a]);
  });

  test('settings of systems are returned as stored, and encrypted in the database', async () => {
    const systems = sqlSystems(store, box);
    const system = { ...ownSystem('acme', 'ann@example.com', at), settings: { url: 'https://x', password: awkward } };
    expect(await systems.insert(system)).toBe(true);
    expect(await systems.insert(system)).toBe(false);
    expect(await systems.find('acme', system.id)).toEqual({ ...system, version: 0 });
    expect(await systems.list('acme')).toEqual([{ ...system, version: 0 }]);
    const { body } = await store.db.selectFrom('systems').select('body').executeTakeFirstOrThrow();
    expect(body).not.toContain('https://x');
    expect(body).not.toContain('password');
    await expect(sqlSystems(store, createSecretBox('another secret, long')).find('acme', system.id)).rejects.toThrow();
  });

  test('a tenant is created with its system and key in one transaction, and removed with all of its records', async () => {
    const systems = sqlSystems(store, box);
    const tenants = sqlTenants(store, systems);
    const keys = sqlApiKeys(store);
    const tenant = { name: 'acme', ...written };
    const { key, hash } = issueKey({ tenant: 'acme', email: 'ann@example.com' }, 'cli', at);
    expect(await tenants.create(tenant, ownSystem('acme', 'cli', at), { key, hash })).toBe(true);
    const second = issueKey({ tenant: 'acme', email: 'bob@example.com' }, 'cli', at);
    expect(await tenants.create(tenant, ownSystem('acme', 'cli', at), second)).toBe(false);
    expect(await keys.list('acme')).toEqual([key]);
    expect(await systems.list('acme')).toHaveLength(1);
    expect(await tenants.list()).toEqual([tenant]);
    await sqlPlaylists(store).insert(playlist('a'));
    const airings = sqlAirings(store);
    await sqlChannels(store).insert(channel('aired'));
    await airings.begin(airingOf('aired', 'of acme'), [editionOf('of acme', 0)]);
    expect(await tenants.remove('acme')).toBe(true);
    expect(await airings.current({ tenant: 'acme', id: 'aired' })).toBeUndefined();
    expect(await store.db.selectFrom('editions').select('life').where('life', '=', 'of acme').execute()).toEqual([]);
    expect(await tenants.remove('acme')).toBe(false);
    expect(await keys.list('acme')).toEqual([]);
    expect(await sqlPlaylists(store).find('acme', 'a')).toBeUndefined();
  });

  test('keys are found by their hash, rotated together, and remember their last use', async () => {
    const keys = sqlApiKeys(store);
    const first = issueKey({ tenant: 'acme', email: 'ann@example.com', name: 'ci' }, 'cli', at);
    await keys.insert(first.key, first.hash);
    expect(await keys.findByHash(first.hash)).toEqual(first.key);
    expect(await keys.find('globex', first.key.id)).toBeUndefined();
    await keys.touch(first.key.id, '2026-02-01T00:00:00.000Z');
    const next = issueKey({ tenant: 'acme', email: 'ann@example.com' }, 'ann@example.com', at);
    await keys.rotate(next.key, next.hash, { ...first.key, expiresAt: '2026-03-01T00:00:00.000Z' });
    expect(await keys.list('acme')).toEqual([
      next.key,
      { ...first.key, lastUsedAt: '2026-02-01T00:00:00.000Z', expiresAt: '2026-03-01T00:00:00.000Z' },
    ]);
    expect(await keys.remove('globex', first.key.id)).toBe(false);
    expect(await keys.remove('acme', first.key.id)).toBe(true);
    expect(await keys.findByHash(first.hash)).toBeUndefined();
  });

  test('statements of one transaction are all written, or none', async () => {
    const fact = (name: string) => store.db.insertInto('facts').values({ name, value: '1' });
    await expect(store.atomically([fact('x'), fact('y'), fact('x')])).rejects.toThrow();
    expect(await store.db.selectFrom('facts').selectAll().where('name', 'in', ['x', 'y']).execute()).toEqual([]);
  });
}, 'file');
