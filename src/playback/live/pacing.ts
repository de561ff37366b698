// SPDX-License-Identifier: Apache-2.0
// When a node reads the origin of a live feed, and when it stops. Values in milliseconds, on one clock.
import type { LiveEntry } from '../../live/slot.ts';
import { flicksToMillis } from '../../time/units.ts';

/** A feed without viewers is read for this long after the last request. */
const IDLE_MS = 60_000;
const MIN_INTERVAL_MS = 500;
/** An entry that is due is shown once other processes can have read it, too. */
const READ_BY_OTHERS_MS = 50;
/** The rounding error of a grid point, in intervals: a reading on the grid must not skip the next one. */
const ROUNDING = 1e-9;

/** Players poll a media playlist at half its target duration when it has not changed (RFC 8216 §6.3.4). */
export const readInterval = (targetMs: number): number => Math.max(MIN_INTERVAL_MS, targetMs / 2);

/** @returns 0 to 1, evenly spread over texts that differ in one character (FNV-1a, with a final mix) */
export function phaseOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/**
 * The next time on the grid of a feed, `intervalMs` after the last one; after the first reading, which a viewer caused at any
 * time, between half an interval and one and a half later. Feeds that wake together are read at different times.
 */
export function nextReadAt(startedAt: number, intervalMs: number, phase: number): number {
  const earliest = startedAt + Math.max(intervalMs / 2, Math.min(MIN_INTERVAL_MS, intervalMs));
  const turns = Math.ceil(earliest / intervalMs - phase - ROUNDING);
  return (turns + phase) * intervalMs;
}

/** In how many milliseconds an entry may be shown. */
export const showsIn = (at: number, now: number): number => (at > now ? at - now : READ_BY_OTHERS_MS);

/** The delay after consecutive failures: half a target duration, then a whole one. */
export const retryDelay = (failures: number, targetMs: number): number =>
  Math.max(MIN_INTERVAL_MS, Math.min(targetMs, readInterval(targetMs) * 2 ** Math.max(0, failures - 1)));

/** A read that takes longer is aborted. */
export const readTimeout = (targetMs: number): number => 2 * Math.max(MIN_INTERVAL_MS, targetMs);

export const idleAfter = (targetMs: number): number => Math.max(IDLE_MS, 3 * targetMs);

export const isIdle = (now: number, usedAt: number, targetMs: number): boolean => now - usedAt > idleAfter(targetMs);

export const longestSlot = ({ slots }: Pick<LiveEntry, 'slots'>): number | undefined =>
  slots.length === 0 ? undefined : Math.max(...slots.map(({ duration }) => flicksToMillis(duration)));

/** Another node reads the origin: the newest entry is not older than readings are apart when all goes well. */
export const isFresh = (readAt: number, targetMs: number, now: number): boolean => now - readAt <= 1.5 * targetMs;
