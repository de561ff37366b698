// SPDX-License-Identifier: Apache-2.0
// The tables of the records that operators write.
import type { Generated } from 'kysely';

/** A record of an operator. What queries filter by has a column; the rest is in `body`. */
export type RecordTable = {
  /** Grows with each insertion; the order of lists. */
  seq: Generated<number>;
  tenant: string;
  id: string;
  /** The number of changes, from 0. */
  version: number;
  body: string;
};

export type ChannelTable = RecordTable & {
  state: string;
  playlist_id: string | null;
  /** SHA-256 of the channel's key, unique together with the id across all tenants. */
  key_hash: string;
};

/** A record that can be restored. Times are milliseconds. */
export type DeletedRecordTable = RecordTable & {
  ref: string;
  kind: string;
  name: string | null;
  record_seq: number;
  deleted_by: string;
  deleted_at: number;
  until_at: number;
};
