// SPDX-License-Identifier: Apache-2.0
// Stores playlists as JSON records.
import type { Playlist } from '../../../channels/playlist.ts';
import type { PlaylistStore } from '../../../channels/ports.ts';
import type { Sql } from '../sql.ts';
import { jsonBody, sqlRecords } from '../sqlRecords.ts';

export const sqlPlaylists = (store: Sql): PlaylistStore =>
  sqlRecords<Playlist>(store, { table: 'playlists', ...jsonBody });
