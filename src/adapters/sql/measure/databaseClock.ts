// SPDX-License-Identifier: Apache-2.0
// The clock of the database, which all processes share.
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

type Kind = 'sqlite' | 'postgres';

/** Milliseconds since 1970, as an expression. */
export const clockOf = ({ kind }: { readonly kind: Kind }): RawBuilder<number> =>
  kind === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;

/** Milliseconds since 1970. */
export async function readClock({ kind, db }: { readonly kind: Kind; readonly db: QueryExecutorProvider }) {
  const { rows } = await sql<{ at: number | string }>`select ${clockOf({ kind })} as at`.execute(db);
  return Number(rows[0]?.at);
}
