// SPDX-License-Identifier: Apache-2.0
// Stores channels as JSON records (sqlRecords.ts), with columns for what queries filter by.

import type { Channel } from '../../../channels/channel.ts';
import type { ChannelStore, Versioned } from '../../../channels/ports.ts';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import { auditInsertion } from '../records/auditInsertion.ts';
import type { Sql } from '../sql.ts';
import { jsonBody, sqlRecords } from '../sqlRecords.ts';
import { isUniqueViolation } from '../uniqueViolation.ts';
import { channelColumns } from './channelColumns.ts';
import { remainsRemoval } from './channelRemains.ts';
import { listColumns, sqlLists } from './sqlLists.ts';

const listed = ({ type, state }: Channel) => ({ kind: type, status: state });

export function sqlChannels(store: Sql): ChannelStore<AuditEntry> {
  const records = sqlRecords<Channel>(store, {
    table: 'channels',
    ...jsonBody,
    isListed: true,
    columns: (channel) => ({ ...channelColumns(channel), ...listColumns(channel, listed(channel)) }),
  });
  /** By body. Every process reads all enabled channels each second, of which few have changed: the others are not decoded again. */
  let known: ReadonlyMap<string, Versioned<Channel>> = new Map();
  const bodies = store.db.selectFrom('channels').select(['version', 'body']);
  return {
    ...records,
    ...sqlLists<Channel>(store, { table: 'channels', decode: records.decode, listed }),
    insert: async (channel, entry) => {
      const logged = entry === undefined ? [] : [auditInsertion(store, entry)];
      try {
        await store.atomically([...remainsRemoval(store, channel), records.insertion(channel), ...logged]);
        return 'stored';
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
      records.removeWith(remainsRemoval(store, { tenant, id }), tenant, id, version, entry),
    named: async (id) => (await bodies.where('id', '=', id).orderBy('seq').execute()).map(records.decode),
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
        .where('tenant', '=', tenant)
        .where('playlist_id', '=', playlistId)
        .orderBy('seq')
        .execute();
      return rows.map(records.decode);
    },
  };
}
