// SPDX-License-Identifier: Apache-2.0
// What belongs to a channel next to its record, when the channel is deleted, restored and replaced by another.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { onEachStore } from '../../../../test/servers/sqlStores.ts';
import { sqlChannels } from '../../../adapters/sql/channels/sqlChannels.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { Channel } from '../../../channels/channel.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import { millis } from '../../../time/units.ts';
import { type DeletedStore, RESTORABLE_FOR_MS } from '../rules/deletedRecord.ts';
import { sqlDeletedRecords } from './sqlDeletedRecords.ts';

const tables = ['titles', 'live_feeds', 'break_orders', 'origin_events', 'airings'] as const;
const now = millis(1_800_000_000_000);
const channel = (name: string, tenant = 'acme'): Channel => ({
  id: 'c',
  tenant,
  name,
  type: 'vod2live',
  state: 'enabled',
  apiKey: `key of ${tenant}`,
  tracking: 'server',
  playlistSize: 60,
  timeShiftWindow: 0,
  createdBy: 'ann@example.com',
  createdAt: '2026-01-02T03:04:05.678Z',
});

onEachStore((openStore) => {
  let sql: Sql;
  let channels: ChannelStore;
  let deleted: DeletedStore;
  beforeAll(async () => {
    sql = await openStore();
    channels = sqlChannels(sql);
    deleted = sqlDeletedRecords(sql);
  });
  beforeEach(async () => {
    for (const table of [...tables, 'editions', 'channels', 'deleted_records'] as const)
      await sql.db.deleteFrom(table).execute();
  });

  /** Stores the channel and a row in every table of what belongs to it. @param life identifies the rows */
  async function air(life: string, tenant = 'acme'): Promise<void> {
    expect(await channels.insert(channel(life, tenant))).toBe('stored');
    const own = { tenant, channel_id: 'c' };
    const { db } = sql;
    await db
      .insertInto('titles')
      .values({
        ...own,
        url_hash: life,
        url: life,
        state: 'ready',
        reason: null,
        asset: null,
        duration: null,
        started_at: 1,
        updated_at: 1,
      })
      .execute();
    const onAir = { ...own, life, body: '{}', off_since: null, on_since: null };
    await db.insertInto('airings').values(onAir).execute();
    await db.insertInto('editions').values({ life, number: 0, body: '{}' }).execute();
    await db
      .insertInto('live_feeds')
      .values({ ...onAir, format: 'hls' })
      .execute();
    await db
      .insertInto('origin_events')
      .values({ ...own, format: 'hls', number: 1, at: 1, body: life })
      .execute();
    await db
      .insertInto('break_orders')
      .values({ ...own, id: life, kind: 'ads', revision: 0, starts_at: 1, over_at: 2, is_cancelled: 0, body: '{}' })
      .execute();
  }
  async function rows(tenant = 'acme'): Promise<number> {
    const counts = await Promise.all(
      tables.map(
        async (table) => (await sql.db.selectFrom(table).where('tenant', '=', tenant).selectAll().execute()).length,
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }
  const editions = async () => (await sql.db.selectFrom('editions').select('life').execute()).map(({ life }) => life);
  const discard = (ref: string, version?: number) =>
    deleted.discard({
      ref,
      kind: 'channel',
      tenant: 'acme',
      id: 'c',
      deletedAt: now,
      deletedBy: 'ann@example.com',
      ...(version === undefined ? {} : { version }),
    });

  test('a restored channel has what it had; nothing of another tenant is touched', async () => {
    await air('theirs', 'globex');
    await air('mine');
    expect([await discard('wrong', 7), await discard('ref'), await discard('again')]).toEqual([false, true, false]);
    expect([await channels.find('acme', 'c'), await rows()]).toEqual([undefined, tables.length]);
    expect(await deleted.restore('globex', 'ref', now)).toBe('unknown');
    expect(await deleted.restore('acme', 'ref', now)).toBe('restored');
    expect(await deleted.restore('acme', 'ref', now)).toBe('unknown');
    expect(await channels.find('acme', 'c')).toEqual({ ...channel('mine'), version: 0 });
    expect(await channels.enabled()).toHaveLength(2);
    expect([await rows(), await rows('globex'), (await editions()).sort()]).toEqual([
      tables.length,
      tables.length,
      ['mine', 'theirs'],
    ]);
  });

  test('what a deleted channel has on air is off since then, unless it was before', async () => {
    await air('mine');
    await air('theirs', 'globex');
    const off = async (table: 'airings' | 'live_feeds') =>
      (
        await sql.db
          .selectFrom(table as 'airings')
          .select(['life', 'off_since'])
          .orderBy('life')
          .execute()
      ).map(({ life, off_since }) => [life, off_since === null ? null : Number(off_since)]);
    await sql.db.updateTable('live_feeds').set({ off_since: 5 }).where('tenant', '=', 'acme').execute();
    await discard('wrong', 7);
    expect(await off('airings')).toEqual([
      ['mine', null],
      ['theirs', null],
    ]);
    await discard('ref');
    expect([await off('airings'), await off('live_feeds')]).toEqual([
      [
        ['mine', now],
        ['theirs', null],
      ],
      [
        ['mine', 5],
        ['theirs', null],
      ],
    ]);
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
    expect([await rows(), await editions(), (await deleted.list('acme', { offset: 0, limit: 9 }, now)).total]).toEqual([
      0,
      [],
      0,
    ]);
  });

  test('purging removes nothing of a channel that exists', async () => {
    await air('first');
    await discard('one');
    await air('second');
    await deleted.purge(millis(now + RESTORABLE_FOR_MS));
    expect([await rows(), await editions()]).toEqual([tables.length, ['second']]);
  });
});
