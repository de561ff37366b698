// SPDX-License-Identifier: Apache-2.0
// The tables of systems, of publications in the containers of cloud systems, and of the state of the containers.
import { type RecordTable, recordColumns } from '../../../adapters/sql/schema/channelTables.ts';
import { named, ofTenant, publish } from '../../../adapters/sql/schema/noticeTables.ts';
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

export type PublicationTable = {
  location: string;
  edition: string;
  frames: number;
  state: string;
  objects: number;
  bytes: number;
  tries: number;
  due_at: number;
  used_at: number;
  changed_at: number;
};

type ContainerTable = { location: string; reason: string | null; checked_at: number };

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    systems: RecordTable;
    publications: PublicationTable;
    containers: ContainerTable;
  }
}

export const createSystemTables: Migration = async (db, kind) => {
  await runAll(db, [
    `create table systems (${dialect[kind].seq}, ${recordColumns}, constraint systems_id unique (tenant, id))`,
    'create index systems_of_tenant on systems (tenant, seq)',
    `create table publications (
      location text not null, edition text not null, frames integer not null, state text not null, objects integer not null,
      bytes bigint not null, tries integer not null, due_at bigint not null, used_at bigint not null,
      changed_at bigint not null, constraint publications_once primary key (location, edition, frames))`,
    'create index publications_changed on publications (changed_at)',
    'create index publications_due on publications (state, due_at)',
    'create table containers (location text primary key, reason text, checked_at bigint not null)',
  ]);
  await publish(
    { table: 'systems', topic: 'systems', key: ofTenant('id'), update: 'new.version <> old.version' },
    {
      table: 'publications',
      topic: 'publications',
      key: named('edition'),
      omits: 'insert',
      update: 'new.state <> old.state',
    },
    {
      table: 'containers',
      topic: 'publications',
      key: named('location'),
      update: "coalesce(new.reason, '') <> coalesce(old.reason, '')",
    },
  )(db, kind);
};
