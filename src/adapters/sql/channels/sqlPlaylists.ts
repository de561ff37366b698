// SPDX-License-Identifier: Apache-2.0
// Stores playlists as JSON records.
import type { Playlist } from '../../../channels/playlist.ts';
import type { PlaylistStore } from '../../../channels/ports.ts';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import type { Sql } from '../sql.ts';
import { jsonBody, sqlRecords } from '../sqlRecords.ts';
import { listColumns, sqlLists } from './sqlLists.ts';

/** What queries filter playlists by. */
export const playlistColumns = (playlist: Playlist) =>
  listColumns(playlist, { kind: playlist.type ?? '', status: playlist.status ?? 'disabled' }, playlist.labels);

export function sqlPlaylists(store: Sql): PlaylistStore<AuditEntry> {
  const records = sqlRecords<Playlist>(store, { table: 'playlists', columns: playlistColumns, ...jsonBody });
  return { ...records, ...sqlLists(store, 'playlists', records.decode) };
}
