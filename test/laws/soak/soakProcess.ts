// SPDX-License-Identifier: Apache-2.0
// What one node of the soak depends on: a clock, and a connection to the database that all nodes share. It can be suspended,
// killed, and cut off from the database. A killed process runs nothing more, and receives nothing.
import { type CompiledQuery, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Sql } from '../../../src/adapters/sql/sql.ts';
import type { Database } from '../../../src/adapters/sql/sqlSchema.ts';
import type { Clock, Timer, Timers } from '../../../src/time/clock.ts';
import { millis } from '../../../src/time/units.ts';
import { createStoreWithOutages, type StoreWithOutages } from '../storeWithOutages.ts';
import { outcomeOf } from '../suspendable.ts';

export type SoakProcess = {
  readonly clock: Clock;
  readonly sql: Sql;
  readonly store: Pick<StoreWithOutages, 'begin' | 'end' | 'isUnavailable'>;
  readonly isSuspended: () => boolean;
  /** Holds a response while the process is suspended. */
  received<Value>(response: Promise<Value>): Promise<Value>;
  suspend(): void;
  /** Timers fire before responses are received, as in an event loop. */
  resume(): void;
  kill(): void;
};

const never = <Value>(): Promise<Value> => new Promise(() => {});

type Calls = {
  query(query: CompiledQuery): Promise<unknown>;
  atomically: Sql['atomically'];
  atomicRows: Sql['atomicRows'];
};

/** @param shared an SQLite database in memory */
function sqlVia(shared: Sql, calls: Calls): Sql {
  const connection = {
    executeQuery: (query: CompiledQuery) => calls.query(query) as never,
    streamQuery: () => {
      throw new Error('Rows cannot be streamed.');
    },
  };
  const refuse = () => Promise.reject(new Error('Pass all statements to Sql.atomically.'));
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (one) => new SqliteIntrospector(one),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  });
  const { atomically, atomicRows } = calls;
  return {
    kind: shared.kind,
    db,
    async run(statement) {
      const { rows, numAffectedRows } = await db.executeQuery(statement.compile(db));
      return { rows, changes: Number(numAffectedRows ?? 0) };
    },
    atomically,
    atomicRows,
    change: shared.change,
    gather: shared.gather,
    gathered: shared.gathered,
    probe: shared.probe,
    ping: shared.ping,
    close: async () => {},
  };
}

/** @param ahead milliseconds that the clock of this machine is ahead of the test's */
export function createSoakProcess(shared: Sql, clock: Clock, ahead: number): SoakProcess {
  let state: 'up' | 'suspended' | 'dead' = 'up';
  let held: (() => void)[] = [];
  const set = new Set<Timer>();

  async function received<Value>(response: Promise<Value>): Promise<Value> {
    const settled = await outcomeOf(response);
    while (state === 'suspended') await new Promise<void>((resolve) => held.push(() => queueMicrotask(resolve)));
    return state === 'dead' ? never() : settled();
  }
  const run = (work: () => void) => {
    if (state === 'suspended') held.push(work);
    else if (state === 'up') work();
  };
  const keep = (timer: Timer): Timer => {
    set.add(timer);
    return {
      cancel() {
        set.delete(timer);
        timer.cancel();
      },
    };
  };
  const timers: Timers = {
    after(ms, work) {
      const timer = clock.timers.after(ms, () => {
        set.delete(timer);
        run(work);
      });
      return keep(timer);
    },
    every: (ms, work) => keep(clock.timers.every(ms, () => run(work))),
    elapsed: clock.timers.elapsed,
  };
  const store = createStoreWithOutages<Calls>({
    query: (query) => shared.db.executeQuery(query),
    atomically: (statements) => shared.atomically(statements),
    atomicRows: (statements) => shared.atomicRows(statements),
  });
  const { query, atomically, atomicRows } = store.store;
  const sql = sqlVia(shared, {
    query: (compiled) => received(query(compiled)),
    atomically: (statements) => received(atomically(statements)),
    atomicRows: (statements) => received(atomicRows(statements)),
  });
  return {
    clock: { now: () => millis(clock.now() + ahead), timers },
    ...{ sql, store, received },
    isSuspended: () => state === 'suspended',
    suspend() {
      if (state === 'up') state = 'suspended';
    },
    resume() {
      if (state !== 'suspended') return;
      state = 'up';
      const due = held;
      held = [];
      for (const work of due) work();
    },
    kill() {
      state = 'dead';
      held = [];
      for (const timer of set) timer.cancel();
      set.clear();
      if (store.isUnavailable()) store.end();
    },
  };
}
