// Many rows as one parameter: a JSON list of lists, taken apart by the database. One statement, prepared once, for any
// number of rows; PostgreSQL takes at most 65,535 parameters, and binding each value costs the serving thread time.
import { type RawBuilder, sql } from 'kysely';
import type { SqlKind } from './migrations/migration.ts';

type ColumnType = 'text' | 'bigint';

/** What JSON in PostgreSQL refuses: zero bytes and halves of surrogate pairs. */
const storable = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');

/** A table expression `(select …)` with the named columns, in the order of each row's values; null stays null. */
export function jsonRows(
  kind: SqlKind,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly (string | number | null)[])[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows, (_, value) => (typeof value === 'string' ? storable(value) : value));
  const picked = Object.entries(columns).map(([name, type], index) =>
    kind === 'sqlite'
      ? sql`json_extract(value, ${sql.lit(`$[${index}]`)}) as ${sql.ref(name)}`
      : sql`cast(value ->> ${sql.lit(index)} as ${sql.raw(type)}) as ${sql.ref(name)}`,
  );
  const from =
    kind === 'sqlite' ? sql`json_each(${json})` : sql`json_array_elements(cast(${json} as json)) as given(value)`;
  return sql`(select ${sql.join(picked)} from ${from})`;
}
