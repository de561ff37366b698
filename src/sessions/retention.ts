// SPDX-License-Identifier: Apache-2.0
// How long every session store keeps what belongs to a session, and what it derives from the records of breaks.
import type { BreakRecord } from '../ads/record/breakRecord.ts';

/** How long the record of a break is kept while its session lives. Those of VoD sessions are kept. */
export const BREAKS_KEPT_MS = 6 * 3600 * 1000;
/** More records than an operator reads; with their ad responses they take a few megabytes at most. */
export const MAX_BREAKS = 60;
/** How long a VoD session that is still watched outlives `keepUntil`. What it needs is kept as long. */
export const MAX_OVERTIME_MS = 24 * 3_600_000;

/** Three times the interval at which nodes store when each session was last seen: after an outage, nothing expires for as long. */
export const LAST_SEEN_SETTLED_MS = 45_000;

/** Whether the viewer got ads in the break. */
export const hasAds = ({ ads }: BreakRecord): boolean => ads.some(({ outcome }) => outcome === 'stitched');

/** Milliseconds since 1970; 0 for a dropped break, which may have no position and therefore no time. */
export const startOfRecord = ({ startsAt }: BreakRecord): number => Date.parse(startsAt) || 0;
