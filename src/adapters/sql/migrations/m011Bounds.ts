// What tells a row that is still needed from one that may go: whether a session was ever watched, and when an import was
// used last.
import { type Kysely, sql } from 'kysely';

/** Rows that are older than the columns count as watched, and as used when they were imported. */
export async function m011Bounds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('is_watched', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  // As small as the number of sessions that were opened a moment ago.
  await db.schema
    .createIndex('sessions_unwatched')
    .on('sessions')
    .column('seen_at')
    .where(sql.ref('is_watched'), '=', sql.lit(0))
    .execute();
  for (const table of ['sources', 'assets']) {
    await db.schema
      .alterTable(table)
      .addColumn('used_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex(`${table}_by_use`).on(table).column('used_at').execute();
  }
  await db.schema.createIndex('sources_of_asset').on('sources').column('asset').execute();
  await sql`update sources set used_at = imported_at`.execute(db);
  await sql`update assets set used_at = coalesce((select max(imported_at) from sources where asset = assets.key), 0)`.execute(
    db,
  );
}
