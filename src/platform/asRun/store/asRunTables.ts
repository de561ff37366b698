// SPDX-License-Identifier: Apache-2.0
// The as-run log of linear channels: a row for each thing that they have aired. Removed with its channel.
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

type AsRunTable = {
  tenant: string;
  channel_id: string;
  started_at: number;
  id: string;
  ended_at: number;
  body: string;
};

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    as_run: AsRunTable;
  }
}

export const createAsRunTables: Migration = (db, kind) =>
  runAll(db, [
    `create table as_run (
      tenant text not null, channel_id text not null, started_at bigint not null, id text ${dialect[kind].byBytes} not null,
      ended_at bigint not null, body text not null,
      constraint as_run_once primary key (tenant, channel_id, started_at, id))`,
    'create index as_run_by_age on as_run (started_at)',
  ]);
