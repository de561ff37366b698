// SPDX-License-Identifier: Apache-2.0
// Stores channels as JSON records (sqlRecords.ts), with columns for what queries filter by.
import { type RawBuilder, sql } from 'kysely';
import type { Channel } from '../../../channels/channel.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import { sourceIdsOf } from '../../../channels/demandFaults.ts';
import { labelsOf } from '../../../channels/labels.ts';
import type { ChannelStore, Versioned } from '../../../channels/ports.ts';
import { hashSecret } from '../../../platform/access/rules/apiKey.ts';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import type { Sql } from '../sql.ts';
import { jsonBody, sqlRecords } from '../sqlRecords.ts';
import type { SqlStatement } from '../statement.ts';
import { isUniqueViolation } from '../uniqueViolation.ts';
import { listColumns, sqlLists, writeSourceIds } from './sqlLists.ts';

/** What queries filter channels by. */
export const channelColumns = (channel: Channel) => ({
  state: channel.state,
  playlist_id: channel.playlistId ?? null,
  key_hash: hashSecret(channel.apiKey),
  ad_sources: writeSourceIds(sourceIdsOf(channel)),
  ...listColumns(channel, { kind: channel.type, status: channel.state }, labelsOf(channel)),
});

export function sqlChannels(store: Sql): ChannelStore<AuditEntry> {
  const records = sqlRecords<Channel>(store, { table: 'channels', columns: channelColumns, ...jsonBody });
  /** By body. Every process reads all enabled channels each second, of which few have changed: the others are not decoded again. */
  let known: ReadonlyMap<string, Versioned<Channel>> = new Map();
  const bodies = store.db.selectFrom('channels').select(['version', 'body']);
  return {
    ...records,
    ...sqlLists(store, 'channels', records.decode),
    insert: async (channel, entry) => {
      try {
        return (await records.insertAfter(remainsRemoval(store, channel), channel, entry)) ? 'stored' : 'idTaken';
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        return (await records.find(channel.tenant, channel.id)) ? 'idTaken' : 'keyTaken';
      }
    },
    replace: async (channel, entry) => {
      try {
        return (await records.replace(channel, entry)) ? 'stored' : 'changed';
      } catch (error) {
        if (isUniqueViolation(error)) return 'keyTaken';
        throw error;
      }
    },
    remove: (tenant, id, version, entry) =>
      records.remove(tenant, id, version, entry, remainsRemoval(store, { tenant, id })),
    async enabled() {
      const rows = await bodies.where('state', '=', 'enabled').orderBy('seq').execute();
      const channels = rows.map((row): [string, Versioned<Channel>] => {
        const before = known.get(row.body);
        return [row.body, before?.version === row.version ? before : records.decode(row)];
      });
      known = new Map(channels);
      return channels.map(([, channel]) => channel);
    },
    playing: async (tenant, playlistId) => {
      const rows = await bodies
        .where((row) => row.and({ tenant, playlist_id: playlistId }))
        .orderBy('seq')
        .execute();
      return rows.map(records.decode);
    },
    async idsPlaying(tenant, playlistIds) {
      if (playlistIds.length === 0) return [];
      const playing = store.db.selectFrom('channels').select('id').where('tenant', '=', tenant);
      const rows = await playing.where('playlist_id', 'in', playlistIds).orderBy('seq').execute();
      return rows.map(({ id }) => id);
    },
  };
}

// What the store keeps of a channel next to its record. It outlives a deleted channel for as long as the channel can be
// restored. A new channel with the same id must not inherit it.

const tables = [
  'titles',
  'live_feeds',
  'break_orders',
  'origin_events',
  'as_run',
  'airings',
  'schedules',
  'schedule_entries',
  'schedule_changes',
  'schedule_playlists',
  'distributors',
  'distributor_keys',
] as const;

/** Statements that remove it if there is no such channel. @param condition of the removal, in addition */
export function remainsRemoval(
  { db }: Pick<Sql, 'db'>,
  { tenant, id }: ChannelRef,
  condition: RawBuilder<boolean> = sql<boolean>`1 = 1`,
): SqlStatement[] {
  const channel = db.selectFrom('channels').select('id').where('tenant', '=', tenant).where('id', '=', id);
  const lives = db.selectFrom('airings').select('life').where('tenant', '=', tenant).where('channel_id', '=', id);
  return [
    db
      .deleteFrom('editions')
      .where('life', 'in', lives)
      .where((where) => where.not(where.exists(channel)))
      .where(condition),
    ...tables.map((table) =>
      db
        .deleteFrom(table)
        .where((row) => row.and({ tenant, channel_id: id }))
        .where((where) => where.not(where.exists(channel)))
        .where(condition),
    ),
  ];
}
