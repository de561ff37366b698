// SPDX-License-Identifier: Apache-2.0
// Scopes of API keys, and sessions of users who signed in to the console.
import type { Kysely } from 'kysely';

export async function m023Access(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('scope', 'text').execute();
  await db.schema.alterTable('api_keys').addColumn('channels', 'text').execute();
  await db.schema
    .createTable('console_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('checked_at', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'text')
    .execute();
  await db.schema
    .createIndex('console_sessions_of_tenant')
    .on('console_sessions')
    .columns(['tenant', 'created_at'])
    .execute();
  await db.schema.createIndex('console_sessions_by_expiry').on('console_sessions').column('expires_at').execute();
}
