// What a migration is.
import type { Kysely } from 'kysely';

export type SqlKind = 'sqlite' | 'postgres';

/** Runs inside a transaction that nobody else is in. Statements that both dialects read need no look at `kind`. */
export type Migration = (db: Kysely<unknown>, kind: SqlKind) => Promise<void>;
