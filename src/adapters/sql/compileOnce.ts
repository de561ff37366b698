// SPDX-License-Identifier: Apache-2.0
// Statements that run for every viewer are compiled to text once. Kysely builds and compiles a tree for each call otherwise,
// which costs more than the statement itself.
import type { CompiledQuery } from 'kysely';
import type { SqlStatement } from './statement.ts';

/** What a driver binds. */
type Bindable = string | number | null | Uint8Array;

/** Stands for a value while a statement is compiled. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * @param build builds the statement. It runs once, when the statement is used first, so it must not branch on the values, and
 * each value may only be bound as a whole
 * @returns a function that binds values
 */
export function compileOnce<Values extends { readonly [name: string]: Bindable }, Row = unknown>(
  build: (of: Values) => SqlStatement<Row>,
): (values: Values) => SqlStatement<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => ({
    compile(db) {
      compiled ??= build(placeholders as Values).compile(db);
      const { query, queryId, sql, parameters } = compiled;
      const bound = parameters.map((one) => (one instanceof Placeholder ? values[one.name] : one));
      return { query, queryId, sql, parameters: bound };
    },
  });
}
