// SPDX-License-Identifier: Apache-2.0
// A change and what depends on it, in one transaction.
import type { Compilable, Kysely } from 'kysely';

export type Change = {
  readonly before?: readonly Compilable[];
  readonly statement: Compilable;
  /** Runs only if `statement` has changed a row. */
  readonly ifChanged: Compilable;
  readonly after?: readonly Compilable[];
};

/** A batch of the writer thread of SQLite. The result of `statement` has the index `before.length`. */
export function changeBatch({ before = [], statement, ifChanged, after = [] }: Change) {
  const compiled = (all: readonly Compilable[]) => all.map((one) => one.compile());
  const dependent = { ...ifChanged.compile(), needsChange: true } as const;
  return [...compiled([...before, statement]), dependent, ...compiled(after)];
}

/** On PostgreSQL. @returns how many rows `statement` changed */
export const executeChange = <Tables>(
  db: Kysely<Tables>,
  { before = [], statement, ifChanged, after = [] }: Change,
): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const run = (one: Compilable) => transaction.executeQuery(one.compile());
    for (const one of before) await run(one);
    const changes = Number((await run(statement)).numAffectedRows ?? 0);
    for (const one of changes > 0 ? [ifChanged, ...after] : after) await run(one);
    return changes;
  });
