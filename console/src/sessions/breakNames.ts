// SPDX-License-Identifier: Apache-2.0
// The breaks of VoD sessions in words.
import type { OpenedSession, TracedBreak } from '../../../src/http/contract/airContract.ts';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatTimecode } from '../format/time.ts';

type Timed = Pick<NonNullable<OpenedSession['breaks']>[number], 'ads' | 'duration' | 'streamTime'>;
type Position = NonNullable<TracedBreak['position']>;

/** The id of the record of the VMAP that named the breaks of a session (playback/vod/requestBreaks.ts). */
const VMAP_ID = '0-0';
/** Shorter moves are not mentioned. Seconds. */
const MIN_MOVE = 0.05;

/** `Pre-roll`, `At 10:00`, `Post-roll`. */
export function breakName({ kind, contentTime }: Pick<Position, 'kind' | 'contentTime'>): string {
  if (kind === 'mid') return `At ${formatTimecode(contentTime)}`;
  return kind === 'pre' ? 'Pre-roll' : 'Post-roll';
}

/** Whether a record is the VMAP that named the breaks, not a break. */
export const isVmapRecord = ({ id, position }: Pick<TracedBreak, 'id' | 'position'>): boolean =>
  id === VMAP_ID && position === undefined;

/** The name of a traced break. Only breaks that were dropped, and the VMAP that named the breaks, have no position. */
export function vodBreakName(one: Pick<TracedBreak, 'id' | 'position'>): string {
  if (one.position !== undefined) return breakName(one.position);
  return isVmapRecord(one) ? 'VMAP' : 'Dropped';
}

/** The place of a break in the content. @param contentDuration seconds */
export const kindAt = (contentTime: number, contentDuration: number): Position['kind'] =>
  contentTime <= MIN_MOVE ? 'pre' : contentTime >= contentDuration - MIN_MOVE ? 'post' : 'mid';

const origins: Readonly<Record<Position['origin'], string>> = {
  cuePoint: 'Cue point',
  marker: 'Manifest marker',
  vmap: 'VMAP',
};

/** `Cue point, moved 1.5 s later, replaces 20 s of content`. */
export function describePosition({ origin, movedBy, replaced }: Position): string {
  return [
    origins[origin],
    ...(Math.abs(movedBy) < MIN_MOVE
      ? []
      : [`moved ${formatDuration(Math.abs(movedBy))} ${movedBy > 0 ? 'later' : 'earlier'}`]),
    ...(replaced === undefined ? [] : [`replaces ${formatDuration(replaced)} of content`]),
  ].join(', ');
}

/** `2 ads, 30 s`; without ads, the break shows the content that they would replace. */
export const breakFacts = ({ ads, duration }: Pick<Timed, 'ads' | 'duration'>): string =>
  `${ads.length === 0 ? 'No ads' : plural(ads.length, 'ad')}, ${formatDuration(duration)}`;

/**
 * `Ad 1 of 2 · 0:12`: the ad, and the time that is left of the break.
 * @param position seconds of stream time
 */
export function adProgress({ ads, duration, streamTime }: Timed, position: number): string {
  const rest = formatTimecode(Math.max(0, streamTime + duration - position));
  if (ads.length === 0) return `No ads · ${rest}`;
  const index = ads.findLastIndex((ad) => ad.streamTime <= position);
  return `Ad ${Math.max(0, index) + 1} of ${ads.length} · ${rest}`;
}
