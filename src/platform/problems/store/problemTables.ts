// SPDX-License-Identifier: Apache-2.0
// The table of ad servers that fail for a channel. It is empty while all of them work.
import { ofTenant, publish } from '../../../adapters/sql/schema/noticeTables.ts';
import { type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

type FailingServerTable = {
  tenant: string;
  channel_id: string;
  /** Empty for the channel's ad source, else the host of a server that a wrapper names. */
  wrapper: string;
  ad_server: string;
  since: number;
  last_at: number;
  error: string;
  status: number | null;
};

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    failing_servers: FailingServerTable;
  }
}

export const createProblemTables: Migration = async (db, kind) => {
  await runAll(db, [
    `create table failing_servers (
      tenant text not null, channel_id text not null, wrapper text not null, ad_server text not null,
      since bigint not null, last_at bigint not null, error text not null, status integer,
      constraint failing_servers_once primary key (tenant, channel_id, wrapper))`,
    'create index failing_servers_by_time on failing_servers (last_at)',
  ]);
  // Not the updates: each process stores every ten seconds that a server still fails.
  await publish({ table: 'failing_servers', topic: 'problems', key: ofTenant('channel_id') })(db, kind);
};
