// What was wrong with a creative, as a value beside the sentence.
import type { Kysely } from 'kysely';

/** Creatives that failed before have none until they are tried again. */
export async function m013CreativeFaults(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('creatives').addColumn('fault', 'text').execute();
}
