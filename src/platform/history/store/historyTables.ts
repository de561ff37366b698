// SPDX-License-Identifier: Apache-2.0
// The history of sessions: those that have ended, and breaks that living sessions do not need any longer.
import { dialect, type Migration, runAll, type SqlKind } from '../../../adapters/sql/schema/schema.ts';

export type PastBreakTable = {
  session_id: string;
  break_id: string;
  tenant: string;
  starts_at: number;
  kept_from: number;
  /** Null for a record that is not a break. */
  status: string | null;
  reason: string | null;
  /** A BreakFill (src/sessions/history/breakFill.ts); empty for a record that is not a break. */
  fill: string;
  body: Uint8Array;
  bytes: number;
};

/** One row, written by triggers: the bytes of both tables. */
type PastSizeTable = { id: number; bytes: number };

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    past_breaks: PastBreakTable;
    past_size: PastSizeTable;
  }
}

export const createHistoryTables: Migration = (db, kind) => {
  const { byBytes, blob } = dialect[kind];
  return runAll(db, [
    `create table past_sessions (
      id text ${byBytes} primary key, id_start text not null, tenant text not null, channel_id text not null,
      format text not null, opened_at bigint not null, seen_at bigint not null, kept_from bigint not null,
      span integer not null, address text not null, user_agent text not null, parameters text not null,
      bytes bigint not null)`,
    'create index past_sessions_of_channel on past_sessions (tenant, channel_id, span, opened_at, id)',
    'create index past_sessions_of_tenant on past_sessions (tenant, span, opened_at, id)',
    'create index past_sessions_by_start on past_sessions (tenant, id_start, span, opened_at, id)',
    'create index past_sessions_by_age on past_sessions (kept_from)',
    `create table past_breaks (
      session_id text ${byBytes} not null, break_id text not null, tenant text not null, starts_at bigint not null,
      kept_from bigint not null, status text, reason text, fill text not null, bytes bigint not null, body ${blob} not null,
      constraint past_breaks_once primary key (session_id, break_id))`,
    // Searches for outcomes read this index alone.
    'create index past_breaks_of_session on past_breaks (session_id, starts_at, status, reason)',
    'create index past_breaks_by_age on past_breaks (kept_from)',
    // The size of both tables, so that it need not be added up.
    'create table past_size (id integer primary key, bytes bigint not null)',
    'insert into past_size (id, bytes) values (1, 0)',
    ...['past_sessions', 'past_breaks'].flatMap((table) => countBytes(table, kind)),
  ]);
};

export const addGuidedSessions: Migration = (db) =>
  runAll(db, ['alter table past_sessions add column guided_until bigint']);

const countBytes = (table: string, kind: SqlKind): string[] =>
  (
    [
      ['insert', 'new', '+'],
      ['delete', 'old', '-'],
    ] as const
  ).flatMap(([event, row, sign]) => {
    const name = `${table}_after_${event}`;
    if (kind === 'sqlite')
      return `create trigger ${name} after ${event} on ${table} for each row
        begin update past_size set bytes = bytes ${sign} ${row}.bytes where id = 1; end`;
    return [
      `create or replace function ${name}() returns trigger language plpgsql as $$ begin
        update past_size set bytes = bytes ${sign} coalesce((select sum(bytes) from changed), 0) where id = 1;
        return null;
      end $$`,
      `create trigger ${name} after ${event} on ${table} referencing ${row} table as changed for each statement
        execute function ${name}()`,
    ];
  });
