// SPDX-License-Identifier: Apache-2.0
import { inspectStore, type StoreState } from '../../adapters/sql/inspectStore.ts';
import type { SqlSource } from '../../adapters/sql/sql.ts';
import { schema as current } from '../../database.ts';
import { AppError, describeError } from '../../errors.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

export type DatabaseCheck = { readonly finding: Finding; readonly state?: StoreState };

const schemas: Readonly<Record<StoreState['schema'], string>> = {
  absent: 'is created at the first start',
  empty: 'empty; the tables are created at the first start',
  older: 'has the schema of an older version; the next start migrates it',
  current: 'schema is current',
  supported: 'has the schema of a newer version, which this version can use',
  newer: 'has the schema of a newer version, which this version cannot use',
};

function findingOf({ kind, schema, version, isWritable }: StoreState): Finding {
  const text = `${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${version}: ${schemas[schema]}`;
  if (schema === 'newer') return failed('Database', text, 'Start the newer version of Midroll, or restore a backup.');
  if (!isWritable)
    return failed('Database', `${text}; the user may not create tables`, 'GRANT CREATE ON SCHEMA public.');
  if (schema === 'older') return warning('Database', text, 'Back it up first: "midroll backup FOLDER".');
  return ok('Database', text);
}

const advice = (source: SqlSource): string =>
  source.DATABASE_URL === undefined
    ? 'Check the permissions of DATA_DIR and its disk; docs/backup.md describes how to restore a backup.'
    : 'Check that DATABASE_URL is right and the server is running.';

export async function checkDatabase(source: SqlSource): Promise<DatabaseCheck> {
  try {
    const state = await inspectStore(current, source);
    return { state, finding: findingOf(state) };
  } catch (error) {
    // The message of a missing driver contains its own advice.
    if (error instanceof AppError) return { finding: failed('Database', error.message, advice(source)) };
    return { finding: failed('Database', `not readable: ${describeError(error)}`, advice(source)) };
  }
}
