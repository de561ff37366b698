// SPDX-License-Identifier: Apache-2.0
// When a decision was recorded, by the clock of the database: other processes read what is new.
import type { Kysely } from 'kysely';

export async function m026DecidedAt(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('decisions').addColumn('decided_at', 'bigint').execute();
  await db.schema.createIndex('decisions_by_time').on('decisions').column('decided_at').execute();
}
