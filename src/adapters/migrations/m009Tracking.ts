// When a beacon was due is kept apart from when it is to be sent next.
import { type Kysely, sql } from 'kysely';

/** Milliseconds for which a beacon was claimed: what the program before this one added when it overwrote `due_at`. */
const CLAIM = 30_000;

/**
 * Until now `due_at` was overwritten by every claim and every retry. A first claim followed its due time within a second,
 * so that time is known again; of a beacon that was tried more often only the earliest possible time is known.
 */
export async function m009Tracking(db: Kysely<unknown>): Promise<void> {
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
