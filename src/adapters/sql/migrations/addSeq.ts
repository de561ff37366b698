// SPDX-License-Identifier: Apache-2.0
// Adds a column that numbers insertions: the only definition that differs between the two databases.
import type { CreateTableBuilder } from 'kysely';
import type { SqlKind } from './migration.ts';

export const addSeq = <Name extends string, Columns extends string>(
  table: CreateTableBuilder<Name, Columns>,
  kind: SqlKind,
): CreateTableBuilder<Name, Columns | 'seq'> =>
  kind === 'sqlite'
    ? table.addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn('seq', 'bigserial', (column) => column.primaryKey());
