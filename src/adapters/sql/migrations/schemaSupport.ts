// SPDX-License-Identifier: Apache-2.0
// Which versions can use a schema. A version is identified by the number of migrations that it contains. During an upgrade,
// nodes of two versions use one database, so migrations only add to the schema, unless they are declared as contracts.
import { type Kysely, sql } from 'kysely';

/** A migration that removes or changes what older versions use. */
export type Contract = {
  /** Versions that contain fewer migrations cannot use the schema. */
  readonly supports: number;
  /** The newest version of Midroll that cannot use the schema, for the changelog. */
  readonly gone: string;
};

/** Contracts by the numbers of their migrations. */
export type Contracts = Readonly<Record<number, Contract>>;

/** The first version that starts on newer schemas. Older ones accept only their own. */
export const FIRST_ROLLING = 18;

/** The row of `facts` with `{number, supports}`: which migration was the last one, and which versions can use the schema. */
const FACT = 'schema';

/** @returns how many migrations a version must contain to use a schema */
export function supportsOf(schema: number, contracts: Contracts): number {
  const applied = Object.entries(contracts).filter(([number]) => Number(number) <= schema);
  return Math.min(schema, Math.max(FIRST_ROLLING, ...applied.map(([, { supports }]) => supports)));
}

export async function writeSupport(db: Kysely<unknown>, number: number, contracts: Contracts): Promise<void> {
  const value = JSON.stringify({ number, supports: supportsOf(number, contracts) });
  await sql`insert into facts (name, value) values (${FACT}, ${value})
    on conflict (name) do update set value = excluded.value`.execute(db);
}

/** The statement that reads the row, and its interpretation. */
export const supportQuery = `select value from facts where name = '${FACT}'`;

/**
 * @param schema the last migration of the database
 * @param value the row, if there is one
 * @returns how many migrations a version must contain to use the schema. Without a row for it, only its own version can
 */
export function readSupport(schema: number, value: string | undefined): number {
  const { number, supports } = JSON.parse(value ?? '{}') as { number?: number; supports?: number };
  return number === schema && supports !== undefined ? supports : schema;
}
