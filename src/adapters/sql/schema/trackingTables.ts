// SPDX-License-Identifier: Apache-2.0
// The tables of tracking. Times are milliseconds.
import type { Generated } from 'kysely';
import { dialect, type Migration, runAll } from './schema.ts';

/** The segments of an ad that a viewer requested, 30 bits per row. `…_counted`: the bits that reports already count. */
export type DeliveryTable = {
  session_id: string;
  ad_id: string;
  chunk: number;
  ends: string;
  pictures: number;
  sound: number;
  pictures_counted: number;
  sound_counted: number;
  /** What reports need to count the delivery; null if reports do not count it. */
  counted: string | null;
  first_at: number;
  last_at: number;
  /** The `keep_until` of the session. */
  keep_until: number | null;
};

export type BeaconTable = {
  seq: Generated<number>;
  tenant: string;
  channel_id: string;
  session_id: string;
  /** The break's id if the event belongs to the break itself. */
  ad_id: string;
  event: string;
  /** The index among the event's URLs. */
  nth: number;
  host: string;
  url: string;
  /** The viewer's address and user agent, for the headers; null once the beacon is settled. */
  viewer: string | null;
  recorded_at: number;
  due_at: number;
  /** When it is to be sent next; while it is claimed, when the claim expires. Unused once it is settled. */
  next_at: number | null;
  is_claimed: number;
  attempts: number;
  /** Attempts whose outcome is unknown. */
  unsure: number;
  /** Null until it is settled. */
  outcome: string | null;
  status: number | null;
  error: string | null;
  settled_at: number | null;
};

export type TrackingTables = {
  /** Tracking events that a player reports; with an empty `ad_id`, those of the break itself. */
  confirmations: {
    session_id: string;
    break_id: string;
    ad_id: string;
    event: string;
    at: number;
    player_at: number | null;
  };
  deliveries: DeliveryTable;
  beacons: BeaconTable;
};

export const createTrackingTables: Migration = (db, kind) =>
  runAll(db, [
    `create table confirmations (
      session_id text not null, break_id text not null, ad_id text not null, event text not null, at bigint not null,
      player_at bigint, constraint confirmations_once primary key (session_id, break_id, ad_id, event))`,
    `create table deliveries (
      session_id text not null, ad_id text not null, chunk integer not null, ends text not null,
      pictures integer not null, sound integer not null, pictures_counted integer not null, sound_counted integer not null,
      first_at bigint not null, last_at bigint not null, counted text, keep_until bigint,
      constraint deliveries_once primary key (session_id, ad_id, chunk))`,
    // Holds only uncounted rows, however many deliveries there are.
    `create index deliveries_uncounted on deliveries (last_at)
      where counted is not null and (pictures <> pictures_counted or sound <> sound_counted)`,
    'create index deliveries_live on deliveries (last_at) where keep_until is null',
    'create index deliveries_kept on deliveries (keep_until) where keep_until is not null',
    `create table beacons (
      ${dialect[kind].seq}, tenant text not null, channel_id text not null, session_id text not null, ad_id text not null,
      event text not null, nth integer not null, host text not null, url text not null, viewer text,
      recorded_at bigint not null, due_at bigint not null, is_claimed integer not null, attempts integer not null,
      unsure integer not null, outcome text, status integer, error text, settled_at bigint, next_at bigint)`,
    'create unique index beacons_once on beacons (session_id, ad_id, event, nth)',
    'create index beacons_of_tenant on beacons (tenant, recorded_at, seq)',
    // These two indexes hold only unsettled beacons, so their size is that of the queue, however large the ledger is.
    'create index beacons_due on beacons (host, next_at) where outcome is null',
    'create index beacons_pending on beacons (tenant, channel_id, due_at) where outcome is null',
  ]);
