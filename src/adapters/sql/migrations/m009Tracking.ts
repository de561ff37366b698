// SPDX-License-Identifier: Apache-2.0
// Separates the due time of a beacon from the time of its next attempt. Reports count deliveries from their rows.
import { type Kysely, sql } from 'kysely';

/** Milliseconds of a claim, which the previous version added to `due_at`. */
const CLAIM = 30_000;

/**
 * Every claim and every retry used to overwrite `due_at`. The first claim followed the due time within a second, so
 * after one attempt the due time can be restored. After more attempts, only its earliest possible value is known.
 */
async function keepDueTimes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('beacons').addColumn('next_at', 'bigint').execute();
  await db.schema.dropIndex('beacons_due').execute();
  await sql`update beacons set next_at = due_at where outcome is null`.execute(db);
  await sql`
    update beacons set due_at = case
      when attempts = 1 and (is_claimed = 1 or outcome is not null) and due_at - ${sql.lit(CLAIM)} > recorded_at
      then due_at - ${sql.lit(CLAIM)} else recorded_at end
    where attempts > 0`.execute(db);
  await db.schema
    .createIndex('beacons_due')
    .on('beacons')
    .columns(['host', 'next_at'])
    .where(sql.ref('outcome'), 'is', sql.lit(null))
    .execute();
}

/**
 * The previous version counted deliveries when it wrote them, so all existing rows are counted. A process of that
 * version that still runs cannot write to the renamed columns: its deliveries wait in its spool, and none is counted
 * twice.
 */
async function countFromRows(db: Kysely<unknown>): Promise<void> {
  const alter = () => db.schema.alterTable('deliveries');
  await alter().renameColumn('pictures_before', 'pictures_counted').execute();
  await alter().renameColumn('sound_before', 'sound_counted').execute();
  await alter().addColumn('counted', 'text').execute();
  await sql`update deliveries set pictures_counted = pictures, sound_counted = sound`.execute(db);
  // Holds only uncounted rows, however many deliveries there are.
  await sql`
    create index deliveries_uncounted on deliveries (last_at)
    where counted is not null and (pictures <> pictures_counted or sound <> sound_counted)`.execute(db);
  await db.schema
    .createTable('delivery_counts')
    .addColumn('number', 'bigint', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text')
    .execute();
}

export async function m009Tracking(db: Kysely<unknown>): Promise<void> {
  await keepDueTimes(db);
  await countFromRows(db);
}
