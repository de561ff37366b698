// SPDX-License-Identifier: Apache-2.0
// The tables of living sessions.
import type { Generated } from 'kysely';

/** Times are milliseconds: they are compared and never shown. */
export type SessionTable = {
  seq: Generated<number>;
  id: string;
  channel_id: string;
  /** Null for a session that was opened before the column existed. */
  tenant: string | null;
  body: string;
  odometer: string;
  folded_before: number;
  seen_at: number;
  /** 1 once the viewer has requested a manifest that lists media. */
  is_watched: Generated<number>;
  /** For VoD sessions; null for live ones. */
  keep_until: number | null;
};
/** What a VoD session shows. `writer` identifies the call that stored it. */
export type PresentationTable = { session_id: string; body: string; writer: string };
type ViewerBreakTable = { session_id: string; break_id: string; starts_at: number; body: string };
/** `decided_at` is a time of the database; null before the column existed. */
export type DecisionTable = ViewerBreakTable & { decided_at: Generated<number | null> };

/**
 * `life` is the session's; null before the column existed. `has_ads` is 1 if the viewer got ads, `is_aside` once the record waits for
 * the history. `fill` is as in the history; null before the column existed.
 */
export type BreakRecordTable = ViewerBreakTable & {
  life: Generated<string | null>;
  has_ads: Generated<number>;
  is_aside: Generated<number>;
  fill: Generated<string | null>;
};

/** The node that may request the ads of a break, and until when. `answer` holds the response until the break is decided. */
export type ClaimTable = {
  session_id: string;
  break_id: string;
  starts_at: number;
  holder: string;
  until_at: number;
  answer: string | null;
};
