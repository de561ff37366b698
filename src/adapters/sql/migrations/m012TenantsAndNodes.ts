// SPDX-License-Identifier: Apache-2.0
// Makes channel ids unique per tenant, like those of playlists; an id together with its key, which the live routes look
// up, is unique across tenants. Adds tables that nodes share: channel statuses, excluded assets and request counts of
// tenants.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

type OldChannel = {
  seq: number;
  tenant: string;
  id: string;
  version: number;
  body: string;
  state: string;
  playlist_id: string | null;
};
type OldAiring = { channel_id: string; life: string; body: string };

/** SQLite cannot drop a constraint, so both tables are rebuilt. */
export async function m012TenantsAndNodes(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  const tables = db as Kysely<Record<string, never>>;
  const channels = await rebuildChannels(tables, kind);
  await rebuildAirings(tables, new Map(channels.map(({ id, tenant }) => [id, tenant])));
  await addShared(db);
}

async function addShared(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channel_statuses')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('is_preparing', 'integer', (column) => column.notNull())
    .addColumn('has_failed', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('items', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_statuses_once', ['tenant', 'channel_id'])
    .execute();
  await db.schema
    .createTable('assets_aside')
    .addColumn('url', 'text', (column) => column.primaryKey())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('times', 'integer', (column) => column.notNull())
    .addColumn('is_back', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('request_windows')
    .addColumn('tenant', 'text', (column) => column.primaryKey())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('requests', 'integer', (column) => column.notNull())
    .execute();
}

async function rebuildChannels(db: Kysely<Record<string, never>>, kind: SqlKind): Promise<OldChannel[]> {
  await addSeq(db.schema.createTable('channels_of_tenants'), kind)
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('playlist_id', 'text')
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addUniqueConstraint('channels_once', ['tenant', 'id'])
    .addUniqueConstraint('channels_by_key', ['id', 'key_hash'])
    .execute();
  const { rows } =
    await sql<OldChannel>`select seq, tenant, id, version, body, state, playlist_id from channels`.execute(db);
  for (const { seq, tenant, id, version, body, state, playlist_id } of rows) {
    const { apiKey } = JSON.parse(body) as { apiKey: string };
    const hash = createHash('sha256').update(apiKey).digest('hex');
    await sql`insert into channels_of_tenants (seq, tenant, id, version, body, state, playlist_id, key_hash)
      values (${seq}, ${tenant}, ${id}, ${version}, ${body}, ${state}, ${playlist_id}, ${hash})`.execute(db);
  }
  await db.schema.dropTable('channels').execute();
  await sql`alter table channels_of_tenants rename to channels`.execute(db);
  if (kind === 'postgres') {
    await sql`select setval(pg_get_serial_sequence('channels', 'seq'), coalesce(max(seq), 1), max(seq) is not null)
      from channels`.execute(db);
  }
  await db.schema.createIndex('channels_of_tenant').on('channels').columns(['tenant', 'seq']).execute();
  await db.schema.createIndex('channels_of_playlist').on('channels').columns(['tenant', 'playlist_id']).execute();
  await db.schema
    .createIndex('channels_enabled')
    .on('channels')
    .column('seq')
    .where(sql.ref('state'), '=', sql.lit('enabled'))
    .execute();
  return rows;
}

async function rebuildAirings(db: Kysely<Record<string, never>>, owners: ReadonlyMap<string, string>): Promise<void> {
  await db.schema
    .createTable('airings_of_tenants')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('life', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('airings_of_channels', ['tenant', 'channel_id'])
    .execute();
  const { rows } = await sql<OldAiring>`select channel_id, life, body from airings`.execute(db);
  for (const { channel_id, life, body } of rows) {
    // Old lives have no tenant; they belong to the only channel with their id.
    const tenant = (JSON.parse(body) as { tenant?: string }).tenant ?? owners.get(channel_id);
    if (tenant === undefined) await sql`delete from editions where life = ${life}`.execute(db);
    else
      await sql`insert into airings_of_tenants (tenant, channel_id, life, body)
        values (${tenant}, ${channel_id}, ${life}, ${body})`.execute(db);
  }
  await db.schema.dropTable('airings').execute();
  await sql`alter table airings_of_tenants rename to airings`.execute(db);
}
