// SPDX-License-Identifier: Apache-2.0
// What all session stores, and the processes that read them, have in common: how long they keep what belongs to a session, how
// states of a session are folded, compared and merged, and what counts as a viewer.
import { addShift } from '../ads/placement/decision.ts';
import type { BreakRecord } from '../ads/record/breakRecord.ts';
import { type Millis, millis } from '../time/units.ts';
import type { Recorded, SessionState, SessionStore } from './ports.ts';

/** How long the record of a break is kept while its session lives. The limit does not apply to VoD sessions. */
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

/** Moves decisions older than `before` into the odometer (law 3). @returns the same object if there are none */
export function foldOld(state: SessionState, before: Millis): SessionState {
  const old = state.decisions.filter(({ startsAt }) => startsAt < before);
  if (old.length === 0) return state;
  const counted = old.filter(({ isVoid }) => !isVoid);
  return {
    ...state,
    decisions: state.decisions.filter(({ startsAt }) => startsAt >= before),
    odometer: counted.reduce((total, { shift }) => addShift(total, shift), state.odometer),
    foldedBefore: before,
  };
}

/**
 * Whether a state in memory is all that the store has recorded of a session. What is in memory was read from the store or written to
 * it, except what viewers were shown in an outage, and the store loses nothing but what is folded. So equal counts mean equal
 * decisions.
 * @param recorded undefined if the store does not report it
 */
export const hasRecorded = ({ decisions, foldedBefore }: SessionState, recorded: Recorded | undefined): boolean =>
  recorded?.decisions === decisions.length &&
  recorded.foldedBefore === foldedBefore &&
  !decisions.some(({ isShown }) => isShown);

// The state of a session only grows, but responses from the store may arrive out of order. Two merged states are at least as
// new as the newer one. What a viewer was shown is never revoked.

/** Merges two states: the odometer that covers more, and every decision that it does not cover. */
export function newestState(one: SessionState, other: SessionState): SessionState {
  const [older, newer] = one.foldedBefore > other.foldedBefore ? [other, one] : [one, other];
  const known = new Set(newer.decisions.map(({ breakId }) => breakId));
  const missed = older.decisions.filter(
    ({ breakId, startsAt }) => startsAt >= newer.foldedBefore && !known.has(breakId),
  );
  const all = missed.length === 0 ? newer.decisions : [...newer.decisions, ...missed];
  const shown = older.decisions.filter(({ isShown }) => isShown);
  const decisions =
    shown.length === 0 ? all : all.map((one) => shown.find(({ breakId }) => breakId === one.breakId) ?? one);
  return decisions === newer.decisions ? newer : { ...newer, decisions };
}

/** Milliseconds for which writes of a decision wait for others that are stored together with them. */
const LEAST_DELAY = 30;
const MOST_DELAY = 250;
/** A fiftieth of the time until the break. Two writes wait for each decision: its claim, and the decision itself. */
const DELAY_SHARE = 1 / 50;

/** @param startsAt of the break, in milliseconds since the epoch @returns milliseconds */
export const writeDelay = (startsAt: number, now: number): number =>
  Math.min(MOST_DELAY, Math.max(LEAST_DELAY, (startsAt - now) * DELAY_SHARE));

/** A session counts as a viewer for this long after its last request, which nodes store every 15 s. */
const VIEWER_TIMEOUT_MS = 60_000;

/** @returns the viewers of channels by channel id, at all nodes; channels without viewers may be absent */
export type CountViewers = (tenant: string, channelIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export const viewerCounter =
  (sessions: Pick<SessionStore, 'watching'>, now: () => Millis): CountViewers =>
  (tenant, channelIds) =>
    sessions.watching(tenant, channelIds, millis(now() - VIEWER_TIMEOUT_MS));
