// SPDX-License-Identifier: Apache-2.0
// The tables of creatives.
import type { Generated } from 'kysely';

/** A creative or slate for one ladder, and the job of making it; times are milliseconds. */
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
  /** A CreativeFault (src/ads/creative/creativeFault.ts). */
  fault: string | null;
  reason: string | null;
  lease: string | null;
  lease_until: number | null;
  media_id: string | null;
  made: string | null;
  created_at: number;
  asked_at: number;
  made_at: number | null;
};
export type CreativeOwnerTable = { tenant: string; channel_id: string; creative_id: string; asked_at: number };
