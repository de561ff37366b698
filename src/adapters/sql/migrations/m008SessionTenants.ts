// SPDX-License-Identifier: Apache-2.0
// The tenant of a session: after one tenant removes a channel, another tenant may use its id.
import type { Kysely } from 'kysely';

/** Older sessions have no tenant; they expire within SESSION_TTL. */
export async function m008SessionTenants(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('tenant', 'text').execute();
  await db.schema.dropIndex('sessions_of_channel').execute();
  await db.schema.createIndex('sessions_of_channel').on('sessions').columns(['channel_id', 'seq', 'tenant']).execute();
}
