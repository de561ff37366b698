// SPDX-License-Identifier: Apache-2.0
// Passes many rows to a statement as one parameter: a JSON array of arrays, which the database expands. So one prepared
// statement serves any number of rows. PostgreSQL accepts at most 65,535 parameters, and binding each value costs time.
import { type RawBuilder, sql } from 'kysely';
import { type SqlKind, storable } from './schema/schema.ts';

type Rows = readonly (readonly (string | number | null)[])[];

/** JSON.stringify escapes what PostgreSQL's JSON rejects: zero bytes and lone surrogates. */
const ESCAPED = /\\u(0000|d[89a-f])/;

function jsonOf(rows: Rows): string {
  const json = JSON.stringify(rows);
  if (!ESCAPED.test(json)) return json;
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? storable(value) : value));
}

/**
 * Builds a table expression `(select …)`.
 * @param columns as in SQL, e.g. `life text, number bigint`, in the order of the values of each row
 * @returns a function that binds rows to the expression; its text is built once
 */
export function jsonRows(kind: SqlKind, columns: string): (rows: Rows) => RawBuilder<unknown> {
  const picked = columns.split(', ').map((column, index) => {
    const [name, type] = column.split(' ');
    return kind === 'sqlite'
      ? `json_extract(value, '$[${index}]') as "${name}"`
      : `cast(value ->> ${index} as ${type}) as "${name}"`;
  });
  const [before, after] =
    kind === 'sqlite' ? ['json_each(', ')'] : ['json_array_elements(cast(', ' as json)) as given(value)'];
  const head = sql.raw(`(select ${picked.join(', ')} from ${before}`);
  const tail = sql.raw(`${after})`);
  return (rows) => sql`${head}${jsonOf(rows)}${tail}`;
}
