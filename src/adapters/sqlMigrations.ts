// The changes of the store's shape, in order. One that was released is never edited: append another.
import type { Kysely } from 'kysely';
import { m001Records } from './migrations/m001Records.ts';

export type SqlKind = 'sqlite' | 'postgres';

/** Runs inside a transaction that nobody else is in. Statements that both dialects read need no look at `kind`. */
export type Migration = (db: Kysely<unknown>, kind: SqlKind) => Promise<void>;

/** Number 1 is the first. */
export const migrations: readonly Migration[] = [m001Records];
