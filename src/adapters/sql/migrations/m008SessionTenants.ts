// Whose a session is: an id of a channel that one tenant has let go may be another's a minute later.
import type { Kysely } from 'kysely';

/** Sessions that are older than this have none, and are gone within SESSION_TTL. */
export async function m008SessionTenants(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('tenant', 'text').execute();
  await db.schema.dropIndex('sessions_of_channel').execute();
  await db.schema.createIndex('sessions_of_channel').on('sessions').columns(['channel_id', 'seq', 'tenant']).execute();
}
