// SPDX-License-Identifier: Apache-2.0
// Measures what a process does with its database.
import type { LogEvent } from 'kysely';

type SqlOperation = 'read' | 'write' | 'transaction';
export type SqlObserver = (operation: SqlOperation, ms: number, isOk: boolean) => void;

const isRead = /^\s*(select|with)\b/i;

/** For Kysely, which logs every statement, also those of transactions. */
export const observeStatements =
  (observe: SqlObserver) =>
  ({ level, query, queryDurationMillis }: LogEvent): void =>
    observe(isRead.test(query.sql) ? 'read' : 'write', queryDurationMillis, level === 'query');

/** Measures a call. Without an observer, it only makes the call. */
export async function observed<Value>(
  observe: SqlObserver | undefined,
  operation: SqlOperation,
  call: () => Promise<Value> | Value,
): Promise<Value> {
  if (observe === undefined) return call();
  const since = performance.now();
  try {
    const value = await call();
    observe(operation, performance.now() - since, true);
    return value;
  } catch (error) {
    observe(operation, performance.now() - since, false);
    throw error;
  }
}
