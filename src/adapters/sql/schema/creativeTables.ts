// SPDX-License-Identifier: Apache-2.0
// The tables of creatives and slate that were requested, with their owners. Times are milliseconds.
import type { Generated } from 'kysely';
import { named, publish } from './noticeTables.ts';
import { dialect, type Migration, runAll } from './schema.ts';

/** A creative or slate for one ladder, and the job of making it. */
export type CreativeTable = {
  seq: Generated<number>;
  id: string;
  kind: string;
  /** JSON of its source and its ladder. */
  body: string;
  state: string;
  /** Lower values come first. */
  urgency: number;
  /** The earliest time of the first or next attempt. */
  due_at: number;
  attempts: number;
  /** A CreativeFault (src/ads/creative/creative.ts). */
  fault: string | null;
  reason: string | null;
  lease: string | null;
  lease_until: number | null;
  media_id: string | null;
  made: string | null;
  created_at: number;
  asked_at: number;
  made_at: number | null;
  /** Its source in lower case, without secrets; empty for slate. */
  source_key: string;
  /** The first failure since it was ready or requested by an operator. */
  failed_at: number | null;
};

export type CreativeTables = {
  creatives: CreativeTable;
  creative_owners: CreativeOwnerTable;
};

type CreativeOwnerTable = {
  tenant: string;
  channel_id: string;
  creative_id: string;
  asked_at: number;
  /** What the first ad that needed it is called. */
  ad_id: string | null;
  ad_creative_id: string | null;
  ad_title: string | null;
};

export const createCreativeTables: Migration = async (db, kind) => {
  await runAll(db, [
    `create table creatives (
      ${dialect[kind].seq}, id text not null unique, kind text not null, body text not null, state text not null,
      urgency integer not null, due_at bigint not null, attempts integer not null, reason text,
      lease text, lease_until bigint, media_id text, made text,
      created_at bigint not null, asked_at bigint not null, made_at bigint, fault text, source_key text not null)`,
    'create index creatives_to_do on creatives (state, urgency, due_at)',
    'create index creatives_by_lease on creatives (lease)',
    'create index creatives_by_media on creatives (media_id)',
    `create table creative_owners (
      tenant text not null, channel_id text not null, creative_id text not null, asked_at bigint not null,
      constraint creative_owners_once primary key (tenant, creative_id, channel_id))`,
    'create index owners_of_creative on creative_owners (creative_id)',
  ]);
  await publish({
    table: 'creatives',
    topic: 'creatives',
    key: named('id'),
    omits: 'insert',
    update: "new.state <> old.state and new.state <> 'preparing'",
  })(db, kind);
};

/** Since when a creative fails, and for which ads creatives are made. */
export const addCreativeFailures: Migration = (db) =>
  runAll(db, [
    'alter table creatives add column failed_at bigint',
    'update creatives set failed_at = created_at where reason is not null',
    'create index creatives_failing on creatives (asked_at) where (failed_at is not null or reason is not null)',
    ...['ad_id', 'ad_creative_id', 'ad_title'].map((name) => `alter table creative_owners add column ${name} text`),
  ]);
