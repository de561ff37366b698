// SPDX-License-Identifier: Apache-2.0
// Tenants, keys, systems, playlists, channels.
import { type Kysely, sql } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

const recordTable = (db: Kysely<unknown>, kind: SqlKind, name: string) =>
  addSeq(db.schema.createTable(name), kind)
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull());

export async function m001Records(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await db.schema
    .createTable('facts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('tenants')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .execute();
  await addSeq(db.schema.createTable('api_keys'), kind)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('expires_at', 'text')
    .execute();
  await db.schema.createIndex('api_keys_of_tenant').on('api_keys').columns(['tenant', 'seq']).execute();

  for (const name of ['systems', 'playlists']) {
    await recordTable(db, kind, name).addUniqueConstraint(`${name}_id`, ['tenant', 'id']).execute();
    await db.schema.createIndex(`${name}_of_tenant`).on(name).columns(['tenant', 'seq']).execute();
  }
  await recordTable(db, kind, 'channels')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('playlist_id', 'text')
    .addUniqueConstraint('channels_id', ['id'])
    .execute();
  await db.schema.createIndex('channels_of_tenant').on('channels').columns(['tenant', 'seq']).execute();
  await db.schema.createIndex('channels_of_playlist').on('channels').columns(['tenant', 'playlist_id']).execute();
  await db.schema
    .createIndex('channels_enabled')
    .on('channels')
    .column('seq')
    .where(sql.ref('state'), '=', sql.lit('enabled'))
    .execute();
}
