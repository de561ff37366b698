// Many rows as one parameter: a JSON list of lists, taken apart by the database. One statement, prepared once, for any
// number of rows; PostgreSQL takes at most 65,535 parameters, and binding each value costs the serving thread time.
import { type RawBuilder, sql } from 'kysely';
import type { SqlKind } from './migrations/migration.ts';

type ColumnType = 'text' | 'bigint';
type Rows = readonly (readonly (string | number | null)[])[];

/** What JSON in PostgreSQL refuses: zero bytes and halves of surrogate pairs. */
const storable = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');

/** Both are escaped in JSON, and little else is. */
const ESCAPED = /\\u(0000|d[89a-f])/;

function jsonOf(rows: Rows): string {
  const json = JSON.stringify(rows);
  if (!ESCAPED.test(json)) return json;
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? storable(value) : value));
}

/**
 * A table expression `(select …)` with the named columns, in the order of each row's values; null stays null. Its text is
 * made once.
 */
export function jsonRows(
  kind: SqlKind,
  columns: Readonly<Record<string, ColumnType>>,
): (rows: Rows) => RawBuilder<unknown> {
  const picked = Object.entries(columns).map(([name, type], index) =>
    kind === 'sqlite'
      ? `json_extract(value, '$[${index}]') as "${name}"`
      : `cast(value ->> ${index} as ${type}) as "${name}"`,
  );
  const [before, after] =
    kind === 'sqlite' ? ['json_each(', ')'] : ['json_array_elements(cast(', ' as json)) as given(value)'];
  const head = sql.raw(`(select ${picked.join(', ')} from ${before}`);
  const tail = sql.raw(`${after})`);
  return (rows) => sql`${head}${jsonOf(rows)}${tail}`;
}
