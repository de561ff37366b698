// SPDX-License-Identifier: Apache-2.0
// Ad sources and what a process knows of them, on each database.
import { beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../../../../test/laws/manualClock.ts';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { createSecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import { jsonBody } from '../../../adapters/sql/sqlRecords.ts';
import type { AdSourceRecord, VastSource } from '../../../channels/demand.ts';
import { MAX_AD_SOURCES } from '../rules/ports.ts';
import { createSourceCache } from '../rules/sourceCache.ts';
import { sqlAdSources } from './sqlAdSources.ts';

const owner = { tenant: 'acme', createdBy: 'ann@example.com', createdAt: new Date(0).toISOString() };
const source = (id: string, more: Partial<VastSource> = {}): AdSourceRecord & VastSource => ({
  ...owner,
  id,
  type: 'vast',
  url: `https://ads.example.com/${id}`,
  ...more,
});

onEachOpenStore((sql) => {
  const store = sqlAdSources(sql, createSecretBox('a secret for tests'));
  beforeEach(async () => {
    await sql.db.deleteFrom('ad_sources').execute();
  });

  /** A cache whose reads are counted. `unavailable`: they fail. `waiting`: they do not end. */
  function setUp() {
    const reads: string[] = [];
    const clock = createManualClock(0, () => false);
    const state: { store: 'available' | 'unavailable' | 'waiting' } = { store: 'available' };
    const counted =
      <Given, Found>(name: string, read: (given: Given) => Promise<Found>) =>
      (given: Given): Promise<Found> => {
        reads.push(name);
        if (state.store === 'waiting') return new Promise(() => {});
        return state.store === 'available' ? read(given) : Promise.reject(new Error('unavailable'));
      };
    const warnings: string[] = [];
    const cache = createSourceCache({
      store: { read: counted('read', store.read), stamps: counted('stamps', store.stamps) },
      timers: clock.timers,
      warn: (message) => warnings.push(message),
    });
    const urls = async (...ids: string[]) =>
      [...(await cache.find('acme', ids))].map(([id, one]) => [id, (one as VastSource).url]);
    return { cache, clock, state, reads, warnings, urls };
  }
  const url = (id: string, path = id) => [id, `https://ads.example.com/${path}`];
  const changed = (id: string) => new Set([`acme/${id}`]);

  test('a source is read once, and again after a change: replaced, deleted or created', async () => {
    const { cache, urls, reads } = setUp();
    await store.insert(source('a'));
    await store.insert(source('b', { clientCertificate: { certificate: 'c', key: 'k' } }));
    expect(await Promise.all([urls('a', 'none'), urls('b'), urls('a')])).toEqual([[url('a')], [url('b')], [url('a')]]);
    const known = (await cache.find('acme', ['b'])).get('b');
    expect(known).toMatchObject({ clientCertificate: { key: 'k' } });
    expect([await urls('none', 'b'), (await cache.find('globex', ['a'])).size]).toEqual([[url('b')], 0]);
    expect(reads).toEqual(['read', 'read']);

    await store.replace({ ...source('a', { url: 'https://ads.example.com/new' }), version: 0 });
    expect(await urls('a')).toEqual([url('a')]);
    await cache.changed(changed('a'));
    await cache.changed(changed('unused'));
    expect(await urls('a')).toEqual([url('a', 'new')]);
    expect(reads.splice(0)).toEqual(['read', 'read', 'read']);

    // One that is created again has the same version.
    await sql.db.deleteFrom('ad_sources').where('id', '=', 'a').execute();
    await store.insert(source('a'));
    await store.replace({ ...source('a', { url: 'https://ads.example.com/again' }), version: 0 });
    await store.insert(source('none'));
    await cache.changed();
    expect(await urls('a', 'b', 'none')).toEqual([url('a', 'again'), url('b'), url('none')]);
    expect((await cache.find('acme', ['b'])).get('b')).toBe(known);
    await cache.changed();
    expect(reads).toEqual(['stamps', 'read', 'stamps']);
  });

  test('during an outage, known sources are returned without a read, and others are not waited for', async () => {
    const { cache, clock, urls, reads, state, warnings } = setUp();
    await store.insert(source('a'));
    await store.insert(source('late'));
    await urls('a');
    state.store = 'unavailable';
    await expect(cache.changed()).rejects.toThrow('unavailable');
    reads.length = 0;
    expect([await urls('a'), reads]).toEqual([[url('a')], []]);
    expect([await urls('a', 'late'), warnings.length]).toEqual([[url('a')], 1]);
    state.store = 'waiting';
    const { value, ms } = await clock.runUntil(urls('a', 'late'));
    expect([value, ms]).toEqual([[url('a')], 500]);
  });

  test('a tenant has at most so many, also if they are created at once', async () => {
    const rows = Array.from({ length: MAX_AD_SOURCES - 3 }, (_, index) => source(`s${index}`));
    const values = rows.map((row) => ({ tenant: row.tenant, id: row.id, version: 0, body: jsonBody.write(row) }));
    const empty = { name: null, name_key: '', kind: '', status: '', changed_at: '', labels: null };
    await sql.db
      .insertInto('ad_sources')
      .values(values.map((row) => ({ ...row, ...empty })))
      .execute();
    const made = await Promise.all(Array.from({ length: 10 }, (_, index) => store.insert(source(`more${index}`))));
    expect(made.filter(Boolean)).toHaveLength(3);
    expect(await store.insert({ ...source('one'), tenant: 'globex' })).toBe(true);
  });
});
