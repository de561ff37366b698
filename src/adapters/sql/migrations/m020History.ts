// SPDX-License-Identifier: Apache-2.0
// The history of sessions: those that have ended, and breaks that living sessions do not need any longer.
import { type Kysely, sql } from 'kysely';
import type { SqlKind } from './migration.ts';

const tables = ['past_sessions', 'past_breaks'] as const;
const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

/** Keep the size of both tables, so that it need not be added up. */
async function countBytes(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await run(db, 'create table past_size (id integer primary key, bytes bigint not null)');
  await run(db, 'insert into past_size (id, bytes) values (1, 0)');
  for (const table of tables) {
    for (const [event, row, sign] of [
      ['insert', 'new', '+'],
      ['delete', 'old', '-'],
    ] as const) {
      const name = `${table}_after_${event}`;
      if (kind === 'sqlite') {
        await run(
          db,
          `create trigger ${name} after ${event} on ${table} for each row
          begin update past_size set bytes = bytes ${sign} ${row}.bytes where id = 1; end`,
        );
        continue;
      }
      await run(
        db,
        `create or replace function ${name}() returns trigger language plpgsql as $$ begin
          update past_size set bytes = bytes ${sign} coalesce((select sum(bytes) from changed), 0) where id = 1;
          return null;
        end $$`,
      );
      await run(
        db,
        `create trigger ${name} after ${event} on ${table} referencing ${row} table as changed for each statement
        execute function ${name}()`,
      );
    }
  }
}

export async function m020History(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  // The order of ids is that of their bytes, as in JavaScript.
  const id = kind === 'sqlite' ? sql`text` : sql`text collate "C"`;
  await db.schema
    .createTable('past_sessions')
    .addColumn('id', id, (column) => column.primaryKey())
    .addColumn('id_start', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('kept_from', 'bigint', (column) => column.notNull())
    .addColumn('span', 'integer', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('parameters', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute();
  const ofSessions = (name: string) => db.schema.createIndex(`past_sessions_${name}`).on('past_sessions');
  await ofSessions('of_channel').columns(['tenant', 'channel_id', 'span', 'opened_at', 'id']).execute();
  await ofSessions('of_tenant').columns(['tenant', 'span', 'opened_at', 'id']).execute();
  await ofSessions('by_start').columns(['tenant', 'id_start', 'span', 'opened_at', 'id']).execute();
  await ofSessions('by_age').column('kept_from').execute();

  await db.schema
    .createTable('past_breaks')
    .addColumn('session_id', id, (column) => column.notNull())
    .addColumn('break_id', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    .addColumn('kept_from', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text')
    .addColumn('reason', 'text')
    .addColumn('fill', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('body', kind === 'sqlite' ? 'blob' : 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('past_breaks_once', ['session_id', 'break_id'])
    .execute();
  const ofBreaks = (name: string) => db.schema.createIndex(`past_breaks_${name}`).on('past_breaks');
  // Searches for outcomes read this index alone.
  await ofBreaks('of_session').columns(['session_id', 'starts_at', 'status', 'reason']).execute();
  await ofBreaks('by_age').column('kept_from').execute();
  await countBytes(db, kind);

  // What is set aside for the history: few rows at a time.
  const breaks = () => db.schema.alterTable('breaks');
  await breaks()
    .addColumn('is_aside', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await breaks().addColumn('fill', 'text').execute();
  await db.schema
    .createIndex('breaks_aside')
    .on('breaks')
    .column('session_id')
    .where(sql.ref('is_aside'), '=', sql.lit(1))
    .execute();
}
