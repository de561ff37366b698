// When a beacon was due is kept apart from when it is to be sent next; and reports count deliveries from their rows.
import { type Kysely, sql } from 'kysely';

/** Milliseconds for which a beacon was claimed: what the program before this one added when it overwrote `due_at`. */
const CLAIM = 30_000;

/**
 * Until now `due_at` was overwritten by every claim and every retry. A first claim followed its due time within a second,
 * so that time is known again; of a beacon that was tried more often only the earliest possible time is known.
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
 * The program before this one counted deliveries as it wrote them: what is there was counted. One that is still running fails
 * to write to the renamed columns, so its deliveries wait on its disk, and none is counted twice.
 */
async function countFromRows(db: Kysely<unknown>): Promise<void> {
  const alter = () => db.schema.alterTable('deliveries');
  await alter().renameColumn('pictures_before', 'pictures_counted').execute();
  await alter().renameColumn('sound_before', 'sound_counted').execute();
  await alter().addColumn('counted', 'text').execute();
  await sql`update deliveries set pictures_counted = pictures, sound_counted = sound`.execute(db);
  // Only what is still to be counted: as small as the work, however many viewers there were.
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
