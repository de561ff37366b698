// SPDX-License-Identifier: Apache-2.0
// Triggers that publish notices (src/notices). PostgreSQL sends them with NOTIFY when the transaction commits. In a SQLite file
// they are the newest rows of a table, which the processes that share the file read.
import { type Kysely, sql } from 'kysely';
import type { SqlKind } from './migration.ts';

type Watched = {
  readonly table: string;
  readonly topic: string;
  /** An expression of a row. */
  readonly key: (row: 'new' | 'old') => string;
  /** For updates: a condition; without it, updates are not announced. */
  readonly update?: string;
  readonly omits?: 'insert' | 'delete';
};

const named = (column: string) => (row: string) => `${row}.${column}`;
const ofTenant = (column: string) => (row: string) => `${row}.tenant || '/' || ${row}.${column}`;

/** No table that is written for each viewer: transactions that notify are committed one after the other. */
const watched: readonly Watched[] = [
  { table: 'channels', topic: 'channels', key: ofTenant('id'), update: 'new.version <> old.version' },
  { table: 'airings', topic: 'schedules', key: named('life') },
  { table: 'editions', topic: 'schedules', key: named('life'), omits: 'delete' },
  { table: 'live_feeds', topic: 'schedules', key: named('life') },
  { table: 'channel_statuses', topic: 'statuses', key: ofTenant('channel_id'), update: 'new.body <> old.body' },
  {
    ...{ table: 'creatives', topic: 'creatives', key: named('id'), omits: 'insert' },
    update: "new.state <> old.state and new.state <> 'preparing'",
  },
  { table: 'systems', topic: 'systems', key: ofTenant('id'), update: 'new.version <> old.version' },
  {
    ...{ table: 'publications', topic: 'publications', key: named('edition'), omits: 'insert' },
    update: 'new.state <> old.state',
  },
  {
    ...{ table: 'containers', topic: 'publications', key: named('location') },
    update: "coalesce(new.reason, '') <> coalesce(old.reason, '')",
  },
];

/** Characters. PostgreSQL rejects notices of more than 8000 bytes, and with them the transaction. */
const LONGEST_KEY = 1000;
/** Rows of the table of a SQLite file. A process that has missed more reads everything. */
const KEPT = 2000;

type Event = { readonly on: 'insert' | 'update' | 'delete'; readonly when?: string; readonly key: string };

const eventsOf = ({ key, update, omits }: Watched): Event[] => [
  ...(omits === 'insert' ? [] : [{ on: 'insert', key: key('new') } as const]),
  ...(update === undefined ? [] : [{ on: 'update', when: update, key: key('new') } as const]),
  ...(omits === 'delete' ? [] : [{ on: 'delete', key: key('old') } as const]),
];

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

async function onSqlite(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    'create table notices (seq integer primary key autoincrement, topic text not null, key text not null, at integer not null)',
  );
  await run(
    db,
    `create trigger notices_kept after insert on notices begin delete from notices where seq <= new.seq - ${KEPT}; end`,
  );
  const at = "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)";
  for (const one of watched) {
    for (const { on, when, key } of eventsOf(one)) {
      const values = `'${one.topic}', substr(${key}, 1, ${LONGEST_KEY}), ${at}`;
      await run(
        db,
        `create trigger notice_${one.table}_${on} after ${on} on ${one.table} for each row ${when ? `when ${when}` : ''}
        begin insert into notices (topic, key, at) values (${values}); end`,
      );
    }
  }
}

async function onPostgres(db: Kysely<unknown>): Promise<void> {
  for (const one of watched) {
    for (const { on, when, key } of eventsOf(one)) {
      const name = `notice_${one.table}_${on}`;
      // Payload: topic, milliseconds, key.
      await run(
        db,
        `create or replace function ${name}() returns trigger language plpgsql as $$ begin
          perform pg_notify('midroll', '${one.topic} ' || floor(extract(epoch from clock_timestamp()) * 1000)::bigint || ' ' || left(${key}, ${LONGEST_KEY}));
          return null;
        end $$`,
      );
      await run(
        db,
        `create trigger ${name} after ${on} on ${one.table} for each row ${when ? `when (${when})` : ''}
        execute function ${name}()`,
      );
    }
  }
}

export const m019Notices = (db: Kysely<unknown>, kind: SqlKind): Promise<void> =>
  kind === 'sqlite' ? onSqlite(db) : onPostgres(db);
