// SPDX-License-Identifier: Apache-2.0
// Triggers that publish notices (src/notices). PostgreSQL sends them with NOTIFY when the transaction commits. In a SQLite file
// they are the newest rows of a table, which the processes that share the file read.
import { type Migration, runAll, type SqlKind } from './schema.ts';

/**
 * A table whose changes are published. Not one that is written for each viewer: transactions that notify are committed one
 * after the other.
 */
type Watched = {
  readonly table: string;
  readonly topic: string;
  /** An expression of a row. */
  readonly key: (row: 'new' | 'old') => string;
  /** For updates: a condition; without it, updates are not published. */
  readonly update?: string;
  readonly omits?: 'insert' | 'delete';
};

export const named = (column: string) => (row: string) => `${row}.${column}`;
export const ofTenant = (column: string) => (row: string) => `${row}.tenant || '/' || ${row}.${column}`;

/** Characters. PostgreSQL rejects notices of more than 8000 bytes, and with them the transaction. */
const LONGEST_KEY = 1000;
/** Rows of the table of a SQLite file. A process that has missed more reads everything. */
const KEPT = 2000;

export const createNoticeTables: Migration = async (db, kind) => {
  if (kind === 'postgres') return;
  await runAll(db, [
    'create table notices (seq integer primary key autoincrement, topic text not null, key text not null, at integer not null)',
    `create trigger notices_kept after insert on notices begin delete from notices where seq <= new.seq - ${KEPT}; end`,
  ]);
};

/** Creates the triggers of tables that exist. Call it after `createNoticeTables`. */
export const publish =
  (...watched: readonly Watched[]): Migration =>
  (db, kind) =>
    runAll(
      db,
      watched.flatMap((one) => eventsOf(one).flatMap((event) => triggersOf(one, event, kind))),
    );

type Event = { readonly on: 'insert' | 'update' | 'delete'; readonly when?: string; readonly key: string };

const eventsOf = ({ key, update, omits }: Watched): Event[] => [
  ...(omits === 'insert' ? [] : [{ on: 'insert', key: key('new') } as const]),
  ...(update === undefined ? [] : [{ on: 'update', when: update, key: key('new') } as const]),
  ...(omits === 'delete' ? [] : [{ on: 'delete', key: key('old') } as const]),
];

function triggersOf({ table, topic }: Watched, { on, when, key }: Event, kind: SqlKind): string[] {
  const name = `notice_${table}_${on}`;
  const trigger = `create trigger ${name} after ${on} on ${table} for each row`;
  if (kind === 'sqlite') {
    const at = "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)";
    return [
      `${trigger} ${when ? `when ${when}` : ''}
      begin insert into notices (topic, key, at) values ('${topic}', substr(${key}, 1, ${LONGEST_KEY}), ${at}); end`,
    ];
  }
  return [
    // Payload: topic, milliseconds, key.
    `create or replace function ${name}() returns trigger language plpgsql as $$ begin
      perform pg_notify('midroll', '${topic} ' || floor(extract(epoch from clock_timestamp()) * 1000)::bigint || ' ' || left(${key}, ${LONGEST_KEY}));
      return null;
    end $$`,
    `${trigger} ${when ? `when (${when})` : ''} execute function ${name}()`,
  ];
}
