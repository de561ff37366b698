// SPDX-License-Identifier: Apache-2.0
// The tables of tracking. Times are milliseconds.
import type { Generated } from 'kysely';

/** Tracking events that a player reports; with an empty `ad_id`, those of the break itself. */
export type ConfirmationTable = {
  session_id: string;
  break_id: string;
  ad_id: string;
  event: string;
  at: number;
  player_at: number | null;
};

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
  /** That of the session. */
  keep_until: number | null;
};

/** Each count of deliveries takes the next number; see sqlDeliveryCounts.ts. */
export type DeliveryCountTable = {
  number: number;
  at: number;
  /** The counts, until they are in the report stores of the systems. */
  body: string | null;
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
