// SPDX-License-Identifier: Apache-2.0
// Where a VoD presentation may have breaks, before any ad is requested. A session stores its plan when it is opened, so that
// later edits of the playlist do not change what it shows.
import type { Flicks } from '../time/units.ts';

/** What named a break: an item's cue point, a marker in the manifest, or the ad server. */
export type BreakOrigin = 'cuePoint' | 'marker' | 'vmap';

/** Times are source times: flicks from the start of the first item (title.ts). */
export type PlannedBreak = {
  /** Unique in the session. Ids of ads and URLs of their segments start with it. */
  readonly id: string;
  readonly origin: BreakOrigin;
  /** A cut point that leaves every rung a segment on both sides; 0 and the end are two. */
  readonly at: Flicks;
  /** The end of a stretch of content that ads replace, also a cut point; absent if ads are inserted. */
  readonly until?: Flicks;
  /** The requested position, before it was moved to a cut point. */
  readonly requested: Flicks;
  /** The length of the break in seconds, as in ad requests; see `isOpen`. */
  readonly duration: number;
  /** True if ads may be longer than `duration`, because neither cue point, marker nor channel limits the break. */
  readonly isOpen?: boolean;
  readonly maxAds?: number;
  /** What an operator should know, such as cue points that were merged. */
  readonly warnings: readonly string[];
};

/** A break that was requested and cannot be placed. Its record in the trace says why. */
export type DroppedBreak = {
  readonly id: string;
  readonly origin: BreakOrigin;
  /** Absent if the position is unknown. */
  readonly requested?: Flicks;
  readonly code: DropCode;
  /** One sentence. */
  readonly text: string;
};

export type DropCode =
  | 'PAST_THE_END'
  | 'TOO_SHORT'
  | 'TOO_MANY_BREAKS'
  | 'UNKNOWN_POSITION'
  | 'SKIPPED_BY_RESUME'
  | 'NOT_LINEAR';

/** In the order of time; no two breaks are at one position. */
export type BreakPlan = { readonly breaks: readonly PlannedBreak[]; readonly dropped: readonly DroppedBreak[] };

/** Breaks of one presentation. Each one is a request to the ad server. */
export const MAX_BREAKS = 100;

/** The id of the nth break of a plan, from 1. Segment URLs of ads contain it (ads/placement/trackedClip.ts). */
export const breakIdAt = (number: number): string => `0-${number}`;
