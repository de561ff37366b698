// SPDX-License-Identifier: Apache-2.0
// The fault of a creative as a value, in addition to its reason.
import type { Kysely } from 'kysely';

/** Creatives that failed earlier have no value until they are retried. */
export async function m013CreativeFaults(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('creatives').addColumn('fault', 'text').execute();
}
