// SPDX-License-Identifier: Apache-2.0
// What the changes of an atomic batch write is gathered, and written in one transaction. Until then nothing is locked, so the writes of
// viewers do not wait for a batch. Reads of records see what was gathered before them. What others have changed meanwhile is found
// when the transaction is written, which then writes nothing.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type CompiledQuery, type QueryExecutorProvider, sql } from 'kysely';
import type { AtomicBatch, BatchConflict } from '../../channels/ports.ts';
import { AppError } from '../../errors.ts';
import { invariant } from '../../invariant.ts';
import { unchanged } from './sqlite/startSqliteWriter.ts';
import type { Change, SqlResult, SqlStatement } from './statement.ts';
import { isUniqueViolation } from './uniqueViolation.ts';

type GatheredStatement = { readonly query: CompiledQuery; readonly mustChange: boolean };

/** Characters of the parameters of all statements. */
const MAX_GATHERED = 32 * 1024 * 1024;

type Reference = { readonly table: string; readonly tenant: string; readonly id: string };
type Kept = { readonly row: object | undefined };

const nameOf = ({ table, tenant, id }: Reference) => JSON.stringify([table, tenant, id]);

export type Gathered = ReturnType<typeof createGathered>;

function createGathered(db: QueryExecutorProvider) {
  const statements: (GatheredStatement & { readonly change: number })[] = [];
  const rows = new Map<string, Kept>();
  let size = 0;
  let change = 0;

  function add(statement: SqlStatement, mustChange: boolean): void {
    const query = statement.compile(db);
    for (const value of query.parameters) size += typeof value === 'string' ? value.length : 0;
    if (size > MAX_GATHERED)
      throw new AppError(
        'TOO_LARGE',
        `The records of an atomic batch must have at most ${MAX_GATHERED} characters together. Send fewer changes at once.`,
      );
    statements.push({ query, mustChange, change });
  }

  return {
    statements,
    isOver: false,
    begin: (index: number) => {
      change = index;
    },
    add,
    /** The record as the batch leaves it; undefined if the batch does not change it. */
    find: (reference: Reference): Kept | undefined => rows.get(nameOf(reference)),
    /** @param row undefined if it was removed */
    keep: (reference: Reference, row: object | undefined) => void rows.set(nameOf(reference), { row }),
  };
}

/**
 * @param write executes the statements in one transaction. Its error has the index of the statement that has failed, and the code
 * UNCHANGED if that one has changed nothing although it must
 */
export function createGathering(
  db: QueryExecutorProvider,
  write: (statements: readonly GatheredStatement[]) => Promise<unknown>,
) {
  const contexts = new AsyncLocalStorage<Gathered>();
  let active = 0;
  /** What a request has started in the background may continue after its batch. */
  const current = (): Gathered | undefined => {
    const gathered = contexts.getStore();
    return gathered?.isOver ? undefined : gathered;
  };

  async function writeAll(gathered: Gathered): Promise<BatchConflict | undefined> {
    gathered.isOver = true;
    if (gathered.statements.length === 0) return undefined;
    try {
      await write(gathered.statements);
      return undefined;
    } catch (error) {
      const { statement, code } = error as { readonly statement?: number; readonly code?: string };
      const failed = statement === undefined ? undefined : gathered.statements[statement];
      const isTaken = isUniqueViolation(error);
      if (failed === undefined || !(isTaken || code === 'UNCHANGED')) throw error;
      return { index: failed.change, reason: isTaken ? 'taken' : 'changed' };
    }
  }

  return {
    current,
    /** Writes that cannot be gathered would be stored although the batch is not. */
    refuse: () => invariant(current() === undefined, 'all that an atomic batch writes is gathered'),
    /** Makes a change that is not part of a batch by `alone`. @returns of one that is, as if it was made */
    changing: (alone: (change: Change) => Promise<number>) => async (change: Change) => {
      const gathered = current();
      if (gathered === undefined) return alone(change);
      const { before = [], statement, ifChanged, after = [] } = change;
      for (const one of before) gathered.add(one, false);
      gathered.add(statement, true);
      for (const one of ifChanged ? [ifChanged, ...after] : after) gathered.add(one, false);
      return 1;
    },
    async gather<Result>(work: (batch: AtomicBatch) => Promise<Result>): Promise<Result> {
      const gathered = createGathered(db);
      active += 1;
      try {
        return await contexts.run(gathered, () =>
          work({ begin: gathered.begin, write: () => contexts.exit(() => writeAll(gathered)) }),
        );
      } finally {
        gathered.isOver = true;
        active -= 1;
        // While it is in use, Node.js 20 and 22 track every promise of the process, also those of viewers.
        if (active === 0) contexts.disable();
      }
    },
  };
}

// PostgreSQL. An arbitrary key, as for migrations.
const BATCH_LOCK = 7_041_208;

/** One at a time: two batches that change the same records in different orders would wait for each other. */
export async function runGathered(
  statements: readonly GatheredStatement[],
  run: (statement: SqlStatement) => Promise<SqlResult<unknown>>,
): Promise<void> {
  await run(sql`select pg_advisory_xact_lock(${BATCH_LOCK})`);
  for (const [index, { query, mustChange }] of statements.entries()) {
    try {
      const { changes } = await run({ compile: () => query as CompiledQuery<never> });
      if (mustChange && changes === 0) throw unchanged();
    } catch (error) {
      throw Object.assign(error as Error, { statement: index });
    }
  }
}
