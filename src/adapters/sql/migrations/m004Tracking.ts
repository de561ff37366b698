// SPDX-License-Identifier: Apache-2.0
// Deliveries of ads to viewers, and the beacons that follow from them.
import { type Kysely, sql } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

export async function m004Tracking(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('ad_id', 'text', (column) => column.notNull())
    .addColumn('chunk', 'integer', (column) => column.notNull())
    .addColumn('ends', 'text', (column) => column.notNull())
    .addColumn('pictures', 'integer', (column) => column.notNull())
    .addColumn('sound', 'integer', (column) => column.notNull())
    .addColumn('pictures_before', 'integer', (column) => column.notNull())
    .addColumn('sound_before', 'integer', (column) => column.notNull())
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('deliveries_once', ['session_id', 'ad_id', 'chunk'])
    .execute();
  await db.schema.createIndex('deliveries_by_age').on('deliveries').column('last_at').execute();

  await addSeq(db.schema.createTable('beacons'), kind)
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('ad_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('nth', 'integer', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('viewer', 'text')
    .addColumn('recorded_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('is_claimed', 'integer', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('unsure', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .addColumn('settled_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('beacons_once')
    .unique()
    .on('beacons')
    .columns(['session_id', 'ad_id', 'event', 'nth'])
    .execute();
  await db.schema.createIndex('beacons_of_tenant').on('beacons').columns(['tenant', 'recorded_at', 'seq']).execute();
  // Holds only unsettled beacons, so its size is that of the queue, however large the ledger is.
  await db.schema
    .createIndex('beacons_due')
    .on('beacons')
    .columns(['host', 'due_at'])
    .where(sql.ref('outcome'), 'is', sql.lit(null))
    .execute();
}
