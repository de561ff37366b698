// SPDX-License-Identifier: Apache-2.0
// Stores playlists as JSON records.

import type { Playlist } from '../../../channels/playlist.ts';
import type { PlaylistStore } from '../../../channels/ports.ts';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import type { Sql } from '../sql.ts';
import { jsonBody, sqlRecords } from '../sqlRecords.ts';
import { listColumns, sqlLists } from './sqlLists.ts';

const listed = ({ type, status }: Playlist) => ({ kind: type ?? '', status: status ?? 'disabled' });

export function sqlPlaylists(store: Sql): PlaylistStore<AuditEntry> {
  const columns = (playlist: Playlist) => listColumns(playlist, listed(playlist));
  const records = sqlRecords<Playlist>(store, { table: 'playlists', isListed: true, columns, ...jsonBody });
  return { ...records, ...sqlLists<Playlist>(store, { table: 'playlists', decode: records.decode, listed }) };
}
