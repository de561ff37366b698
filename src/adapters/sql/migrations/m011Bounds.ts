// SPDX-License-Identifier: Apache-2.0
// Shows which rows may be removed: whether a session was ever watched, and when an import was last used.
import { type Kysely, sql } from 'kysely';

/** Existing sessions count as watched, and existing imports as used when they were imported. */
export async function m011Bounds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('is_watched', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  // Holds only sessions that were opened recently and have not requested media yet.
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
