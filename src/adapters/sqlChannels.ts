import type { Channel } from '../channels/channel.ts';
import type { ChannelStore } from '../channels/ports.ts';
import type { Sql } from './sql.ts';
import { jsonBody, sqlRecords } from './sqlRecords.ts';

export function sqlChannels(store: Sql): ChannelStore {
  const records = sqlRecords<Channel>(store, {
    table: 'channels',
    ...jsonBody,
    columns: ({ state, playlistId }) => ({ state, playlist_id: playlistId ?? null }),
  });
  const bodies = store.db.selectFrom('channels').select(['version', 'body']);
  return {
    ...records,
    find: async (id) => {
      const row = await bodies.where('id', '=', id).executeTakeFirst();
      return row && records.decode(row);
    },
    enabled: async () => (await bodies.where('state', '=', 'enabled').orderBy('seq').execute()).map(records.decode),
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
