// SPDX-License-Identifier: Apache-2.0
// The tables of live channels: feeds on air, the entries of their timelines, and changes of their origins.
import type { AiringTable } from './channelTables.ts';
import { named, publish } from './noticeTables.ts';
import { type Migration, runAll } from './schema.ts';

export type LiveTables = {
  live_feeds: AiringTable & { format: string };
  live_entries: {
    life: string;
    number: number;
    /** When its first slot starts, in milliseconds; null without slots. */
    starts_at: number | null;
    /** Identifies the call that stored it. */
    writer: string;
    body: string;
  };
  origin_events: {
    tenant: string;
    channel_id: string;
    format: string;
    /** From 1 on for each channel and format. Two processes cannot both store what follows an event. */
    number: number;
    /** Milliseconds. */
    at: number;
    body: string;
  };
};

export const createLiveTables: Migration = async (db, kind) => {
  await runAll(db, [
    `create table live_feeds (
      life text primary key, tenant text not null, channel_id text not null, format text not null, body text not null,
      off_since bigint, on_since bigint, constraint live_feeds_once unique (tenant, channel_id, format))`,
    // Removing a feed removes its entries.
    `create table live_entries (
      life text not null references live_feeds (life) on delete cascade, number bigint not null, starts_at bigint,
      writer text not null, body text not null, constraint live_entries_once primary key (life, number))`,
    `create table origin_events (
      tenant text not null, channel_id text not null, format text not null, number bigint not null, at bigint not null,
      body text not null, constraint origin_events_once primary key (tenant, channel_id, format, number))`,
    'create index origin_events_by_time on origin_events (at)',
  ]);
  await publish({ table: 'live_feeds', topic: 'schedules', key: named('life') })(db, kind);
};
