// SPDX-License-Identifier: Apache-2.0
// What belongs to a channel next to its record, when the channel is deleted, restored and replaced by another.

import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { channelOf } from '../../../../test/stores/records.ts';
import { sqlChannels } from '../../../adapters/sql/channels/sqlChannels.ts';
import type { Channel } from '../../../channels/channel.ts';
import { millis } from '../../../time/units.ts';
import { RESTORABLE_FOR_MS } from '../rules/deletedRecord.ts';
import { sqlDeletedRecords } from './sqlDeletedRecords.ts';

const tables = [
  'titles',
  'live_feeds',
  'break_orders',
  'origin_events',
  'as_run',
  'distributors',
  'airings',
  'schedules',
  'schedule_entries',
  'schedule_changes',
  'schedule_playlists',
] as const;
const now = millis(1_800_000_000_000);
const channel = (name: string, tenant = 'acme'): Channel =>
  channelOf('c', { tenant, name, type: 'vod2live', apiKey: `key of ${tenant}` });

onEachOpenStore((sql) => {
  const channels = sqlChannels(sql);
  const deleted = sqlDeletedRecords(sql);
  beforeEach(async () => {
    for (const table of [...tables, 'editions', 'channels', 'deleted_records'] as const)
      await sql.db.deleteFrom(table).execute();
  });

  /** Stores the channel and a row in every table of what belongs to it. @param life identifies the rows */
  async function air(life: string, tenant = 'acme'): Promise<void> {
    expect(await channels.insert(channel(life, tenant))).toBe('stored');
    const { db } = sql;
    const own = { tenant, channel_id: 'c' };
    const title = { ...own, url_hash: life, url: life, state: 'ready', started_at: 1, updated_at: 1 };
    const airing = { ...own, life, body: '{}', off_since: null, on_since: null };
    const feed = { ...airing, format: 'hls' };
    const event = { ...own, format: 'hls', number: 1, at: 1, body: life };
    const times = { starts_at: 1, over_at: 2, is_cancelled: 0 };
    const order = { ...own, id: life, kind: 'ads', revision: 0, ...times, body: '{}' };
    await sql.atomically([
      db.insertInto('titles').values({ ...title, reason: null, asset: null, duration: null }),
      db.insertInto('airings').values(airing),
      db.insertInto('editions').values({ life, number: 0, body: '{}' }),
      db.insertInto('live_feeds').values(feed),
      db.insertInto('origin_events').values(event),
      db.insertInto('break_orders').values(order),
      db.insertInto('distributors').values({ ...own, id: life, version: 0, body: '{}' }),
      db.insertInto('schedules').values({ ...own, version: 0, created_at: '', modified_at: '', body: '{}' }),
      db.insertInto('schedule_entries').values({ ...own, id: life, at: 1, position: 0, is_fixed: 1, body: '{}' }),
      db.insertInto('schedule_changes').values({ ...own, version: 0, body: '{}' }),
      db.insertInto('schedule_playlists').values({ ...own, playlist_id: life }),
      db.insertInto('as_run').values({ ...own, started_at: 1, id: life, ended_at: 2, body: '{}' }),
    ]);
  }
  async function rows(tenant = 'acme'): Promise<number> {
    const found = tables.map((table) => sql.db.selectFrom(table).where('tenant', '=', tenant).selectAll().execute());
    return (await Promise.all(found)).flat().length;
  }
  const editions = async () => (await sql.db.selectFrom('editions').select('life').execute()).map(({ life }) => life);
  const deletion = { kind: 'channel', tenant: 'acme', id: 'c', deletedAt: now, deletedBy: 'ann@example.com' } as const;
  const discard = (ref: string, more: { version?: number } = {}) => deleted.discard({ ref, ...deletion, ...more });

  test('a restored channel has what it had; nothing of another tenant is touched', async () => {
    await air('theirs', 'globex');
    await air('mine');
    expect([await discard('wrong', { version: 7 }), await discard('ref'), await discard('again')]).toEqual([
      false,
      true,
      false,
    ]);
    expect([await channels.find('acme', 'c'), await rows()]).toEqual([undefined, tables.length]);
    expect(await deleted.restore('globex', 'ref', now)).toBe('unknown');
    expect(await deleted.restore('acme', 'ref', now)).toBe('restored');
    expect(await deleted.restore('acme', 'ref', now)).toBe('unknown');
    expect(await channels.find('acme', 'c')).toEqual({ ...channel('mine'), version: 0 });
    expect(await channels.enabled()).toHaveLength(2);
    expect([await rows(), await rows('globex')]).toEqual([tables.length, tables.length]);
    expect((await editions()).sort()).toEqual(['mine', 'theirs']);
  });

  test('what a deleted channel has on air is off since then, unless it was before', async () => {
    await air('mine');
    await air('theirs', 'globex');
    const off = async (table: 'airings' | 'live_feeds') => {
      const lives = sql.db.selectFrom(table as 'airings').select(['life', 'off_since']);
      const found = await lives.execute();
      return Object.fromEntries(found.map(({ life, off_since }) => [life, off_since && Number(off_since)]));
    };
    await sql.db.updateTable('live_feeds').set({ off_since: 5 }).where('tenant', '=', 'acme').execute();
    await discard('wrong', { version: 7 });
    expect(await off('airings')).toEqual({ mine: null, theirs: null });
    await discard('ref');
    expect(await off('airings')).toEqual({ mine: now, theirs: null });
    expect(await off('live_feeds')).toEqual({ mine: 5, theirs: null });
  });

  test('a new channel with the same id inherits nothing', async () => {
    await air('old');
    await discard('ref');
    expect(await channels.insert(channel('new'))).toBe('stored');
    expect([await rows(), await editions()]).toEqual([0, []]);
    expect(await channels.insert(channel('third'))).toBe('idTaken');
    expect(await deleted.restore('acme', 'ref', now)).toBe('idTaken');
  });

  test('an insertion that fails removes nothing of the channel that exists', async () => {
    await air('mine');
    expect(await channels.insert(channel('second'))).toBe('idTaken');
    expect([await rows(), await editions()]).toEqual([tables.length, ['mine']]);
  });

  test('a channel that was deleted earlier does not get what a later one with its id has left', async () => {
    await air('first');
    await discard('one');
    await air('second');
    await discard('two');
    expect(await rows()).toBe(tables.length);
    expect(await deleted.restore('acme', 'one', now)).toBe('restored');
    expect([(await channels.find('acme', 'c'))?.name, await rows(), await editions()]).toEqual(['first', 0, []]);
  });

  test('what a deleted channel had goes with the last deletion of its id', async () => {
    await air('first');
    await discard('one');
    await air('second');
    await discard('two');
    await sql.db.updateTable('deleted_records').set({ until_at: now }).where('ref', '=', 'one').execute();
    await deleted.purge(now);
    expect([await rows(), await deleted.restore('acme', 'one', now)]).toEqual([tables.length, 'unknown']);
    await deleted.purge(millis(now + RESTORABLE_FOR_MS));
    expect([await rows(), await editions()]).toEqual([0, []]);
    expect((await deleted.list('acme', { offset: 0, limit: 9 }, now)).total).toBe(0);
  });

  test('purging removes nothing of a channel that exists', async () => {
    await air('first');
    await discard('one');
    await air('second');
    await deleted.purge(millis(now + RESTORABLE_FOR_MS));
    expect([await rows(), await editions()]).toEqual([tables.length, ['second']]);
  });
});
