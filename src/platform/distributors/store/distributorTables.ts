// SPDX-License-Identifier: Apache-2.0
// The tables of distributors and their keys.
import { type RecordTable, recordColumns } from '../../../adapters/sql/schema/channelTables.ts';
import { ofTenant, publish } from '../../../adapters/sql/schema/noticeTables.ts';
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

/** Finds a distributor by a key. Which keys it has is in its body. Milliseconds. */
type DistributorKeyTable = {
  hash: string;
  tenant: string;
  channel_id: string;
  distributor_id: string;
  used_at: number | null;
};

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    distributors: RecordTable & { channel_id: string };
    distributor_keys: DistributorKeyTable;
  }
}

export const createDistributorTables: Migration = async (db, kind) => {
  await runAll(db, [
    `create table distributors (${dialect[kind].seq}, ${recordColumns}, channel_id text not null,
      constraint distributors_once unique (tenant, channel_id, id))`,
    `create table distributor_keys (
      hash text primary key, tenant text not null, channel_id text not null, distributor_id text not null, used_at bigint)`,
    'create index distributor_keys_of_channel on distributor_keys (tenant, channel_id, distributor_id)',
  ]);
  await publish({
    table: 'distributors',
    topic: 'distributors',
    key: ofTenant('channel_id'),
    update: 'new.version <> old.version',
    omits: 'insert',
  })(db, kind);
};
