// SPDX-License-Identifier: Apache-2.0
// Which origins of a feed are read, and which of them may be listed next: the rules, by the log and not by what this process could
// read, so that a process that cannot reach an origin puts no slate on air while another one can.
import { defined } from '../../../invariant.ts';
import type { Millis } from '../../../time/units.ts';
import type { LiveFeedSource } from './feedSources.ts';

/** What is on air at the end of a log. */
export type Standing = {
  /** The URL of the backup origin; undefined for the feed's own. */
  readonly source?: string | undefined;
  /** Slate is on air, because no origin lists anything. */
  readonly isAway: boolean;
  /** When content was last added. */
  readonly contentAt?: Millis | undefined;
  /** Since when this is on air. */
  readonly since?: Millis | undefined;
  readonly reason?: string | undefined;
};

export type Mode =
  /** Content is added. */
  | 'calm'
  /** Nothing has been added for a while: backups are read, so that they are known when they are needed. */
  | 'wary'
  /** Any origin that has something is listed, and slate if none has. */
  | 'trouble';

/** Target durations without new content. */
const WARY = 2;
const TROUBLE = 3;
/** Milliseconds. An earlier origin is used again when it has been growing for so long. */
const PROVEN_MS = 30_000;
/** Earlier origins are checked this often. */
const CHECK_MS = 10_000;

/** A playlist has to grow within one and a half target durations (RFC 8216 §6.2.1). */
const LATE = 1.5;
/** Milliseconds. Longer segments are mistakes of the origin. */
const LONGEST = 30_000;

/**
 * @param wokenAt when this process began to read the feed
 * @param statedMs the target duration that the origin has now: while it makes a segment that is longer than those of before, it lists
 * nothing
 */
export function modeOf(
  { isAway, contentAt }: Standing,
  wokenAt: Millis,
  targetMs: number,
  now: Millis,
  statedMs = 0,
): Mode {
  const quiet = now - Math.max(wokenAt, contentAt ?? 0);
  if (isAway || quiet > Math.max(TROUBLE * targetMs, LATE * Math.min(statedMs, LONGEST) + targetMs)) return 'trouble';
  return quiet > WARY * targetMs ? 'wary' : 'calm';
}

/** Milliseconds for which a process waits for a reading before it decides. */
export function patienceOf({ contentAt, isAway }: Standing, wokenAt: Millis, targetMs: number, now: Millis): number {
  if (isAway) return targetMs / 2;
  const quiet = now - Math.max(wokenAt, contentAt ?? 0);
  const limit = quiet < WARY * targetMs ? WARY : TROUBLE;
  return Math.max(targetMs / 4, limit * targetMs - quiet + 1);
}

export const checkInterval = (targetMs: number): number => Math.max(CHECK_MS, 2 * targetMs);

/** The source on air; the first if it was removed. */
export const activeOf = (sources: readonly LiveFeedSource[], { source }: Standing): LiveFeedSource =>
  defined(sources.find(({ backup }) => backup === source) ?? sources[0], 'a feed has a source');

/** The first of the sources before the active one that has been growing for long enough. */
export function provenBefore(
  sources: readonly LiveFeedSource[],
  active: LiveFeedSource,
  now: Millis,
): LiveFeedSource | undefined {
  return sources.slice(0, sources.indexOf(active)).find((one) => {
    const since = one.growingSince();
    return since !== undefined && now - since >= PROVEN_MS;
  });
}
