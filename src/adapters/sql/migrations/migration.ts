// SPDX-License-Identifier: Apache-2.0
// The type of a migration.
import type { Kysely } from 'kysely';

export type SqlKind = 'sqlite' | 'postgres';

/** Runs inside an exclusive transaction. `kind` is for statements that differ between the databases. */
export type Migration = (db: Kysely<unknown>, kind: SqlKind) => Promise<void>;
