// SPDX-License-Identifier: Apache-2.0
// The table of ad sources.
import { type ListColumns, type RecordTable, recordColumns } from '../../../adapters/sql/schema/channelTables.ts';
import { ofTenant, publish } from '../../../adapters/sql/schema/noticeTables.ts';
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    ad_sources: RecordTable & ListColumns;
  }
}

export const createAdSourceTables: Migration = async (db, kind) => {
  await runAll(db, [
    `create table ad_sources (
      ${dialect[kind].seq}, ${recordColumns}, name text, name_key text, kind text, status text, changed_at text, labels text,
      constraint ad_sources_id unique (tenant, id))`,
    'create index ad_sources_of_tenant on ad_sources (tenant, seq)',
  ]);
  await publish({
    table: 'ad_sources',
    topic: 'ad-sources',
    key: ofTenant('id'),
    update: 'new.version <> old.version',
  })(db, kind);
};
