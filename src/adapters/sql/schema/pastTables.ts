// SPDX-License-Identifier: Apache-2.0
// The tables of the history of sessions. Times are milliseconds.

/** A session that has ended. */
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
  /** Which class of lengths it belongs to (spans.ts). */
  span: number;
  address: string;
  user_agent: string;
  /** One `name=value` per line, URI-encoded, with a line feed before and after each. */
  parameters: string;
  bytes: number;
};

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
export type PastSizeTable = { id: number; bytes: number };
