// SPDX-License-Identifier: Apache-2.0
// The tables of living sessions. Times are milliseconds: they are compared and never shown.
import type { Generated } from 'kysely';
import { dialect, type Migration, runAll } from './schema.ts';

type ViewerBreakTable = { session_id: string; break_id: string; starts_at: number; body: string };

export type PastSessionTable = {
  id: string;
  /** Its first characters, for searches by a part of an id. */
  id_start: string;
  tenant: string;
  channel_id: string;
  format: string;
  opened_at: number;
  seen_at: number;
  /** The retention counts from then. */
  kept_from: number;
  /** Which class of lengths it belongs to (pastSessionRow.ts). */
  span: number;
  address: string;
  user_agent: string;
  /** One `name=value` per line, URI-encoded, with a line feed before and after each. */
  parameters: string;
  /** Until when a session was kept whose player inserted the ads; null if they were stitched. */
  guided_until: number | null;
  bytes: number;
};

export type SessionTables = {
  past_sessions: PastSessionTable;
  sessions: {
    seq: Generated<number>;
    id: string;
    channel_id: string;
    tenant: string;
    body: string;
    odometer: string;
    folded_before: number;
    seen_at: number;
    /** 1 once the viewer has requested a manifest that lists media. */
    is_watched: number;
    /** For VoD sessions; null for live ones. */
    keep_until: number | null;
  };
  /** The node that may request the ads of a break, and until when. `answer` holds the response until the break is decided. */
  claims: Omit<ViewerBreakTable, 'body'> & { holder: string; until_at: number; answer: string | null };
  /** `decided_at` is a time of the database. */
  decisions: ViewerBreakTable & { decided_at: Generated<number | null> };
  /**
   * `life` is the session's. `has_ads` is 1 if the viewer got ads, `is_aside` once the record waits for the history. `fill` is as in
   * the history.
   */
  breaks: ViewerBreakTable & {
    life: Generated<string | null>;
    has_ads: Generated<number>;
    is_aside: Generated<number>;
    fill: string;
  };
  /** What a VoD session shows. `writer` identifies the call that stored it. */
  presentations: { session_id: string; body: string; writer: string };
  /** What viewers were shown, for frequency caps. */
  shown_ads: { tenant: string; viewer: string; body: string; version: number; keep_until: number };
  /** The slots that each ad source with a rate reserved last, up to the next free one. Microseconds since 1970. */
  source_rates: { tenant: string; source: string; first_at: number; next_at: number };
};

export const createSessionTables: Migration = (db, kind) => {
  const ofBreak = 'session_id text not null, break_id text not null, starts_at bigint not null';
  const once = (table: string) => `constraint ${table}_once primary key (session_id, break_id)`;
  return runAll(db, [
    `create table sessions (
      ${dialect[kind].seq}, id text not null unique, channel_id text not null, body text not null, odometer text not null,
      folded_before bigint not null, seen_at bigint not null, tenant text,
      is_watched integer not null, keep_until bigint)`,
    'create index sessions_of_channel on sessions (channel_id, seq, tenant)',
    'create index sessions_by_seen on sessions (seen_at)',
    // Holds only sessions that were opened recently and have not requested media yet.
    'create index sessions_unwatched on sessions (seen_at) where is_watched = 0',
    // Expiry reads live rows by their age and kept ones by `keep_until`, not all kept rows each time.
    'create index sessions_live on sessions (seen_at) where keep_until is null',
    'create index sessions_kept on sessions (keep_until) where keep_until is not null',
    `create table claims (${ofBreak}, holder text not null, until_at bigint not null, answer text, ${once('claims')})`,
    `create table decisions (${ofBreak}, body text not null, decided_at bigint, ${once('decisions')})`,
    // Other processes read what is new.
    'create index decisions_by_time on decisions (decided_at)',
    `create table breaks (
      ${ofBreak}, body text not null, life text, has_ads integer not null default 0,
      is_aside integer not null default 0, fill text not null, ${once('breaks')})`,
    // The viewers of a break are counted from the index alone.
    'create index breaks_by_break on breaks (life, break_id, session_id, has_ads)',
    // Few rows at a time.
    'create index breaks_aside on breaks (session_id) where is_aside = 1',
    'create table presentations (session_id text primary key, body text not null, writer text not null)',
  ]);
};

export const createShownAds: Migration = (db) =>
  runAll(db, [
    `create table shown_ads (
      tenant text not null, viewer text not null, body text not null, version bigint not null, keep_until bigint not null,
      constraint shown_ads_once primary key (tenant, viewer))`,
    'create index shown_ads_kept on shown_ads (keep_until)',
  ]);

export const addSourceRates: Migration = (db) =>
  runAll(db, [
    `create table source_rates (
      tenant text not null, source text not null, first_at bigint not null, next_at bigint not null,
      constraint source_rates_once primary key (tenant, source))`,
  ]);
