// SPDX-License-Identifier: Apache-2.0
// The breaks of VoD sessions in words.
import type { TracedBreak } from '../../../../src/http/airContract.ts';
import type { ChannelResponse } from '../../../../src/http/channelContract.ts';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatTimecode } from '../format/time.ts';
import type { SessionBreak } from './contentClock.ts';

type Timed = Pick<SessionBreak, 'ads' | 'duration'>;
type ChannelBumpers = NonNullable<ChannelResponse['bumpers']>;
type Position = NonNullable<TracedBreak['position']>;

/** The id of the record of the VMAP that named the breaks of a session (playback/vod/requestVmap.ts). */
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
export const breakFacts = ({ ads, duration }: Timed): string =>
  `${ads.length === 0 ? 'No ads' : plural(ads.length, 'ad')}, ${formatDuration(duration)}`;

/** Seconds of bumpers before the first ad. With an intro and an outro, they are assumed to be equally long. */
export function introOf({ ads, duration }: Timed, bumpers: ChannelBumpers = {}): number {
  const rest = Math.max(
    0,
    ads.reduce((left, ad) => left - ad.duration, duration),
  );
  if (!bumpers.intro) return 0;
  return bumpers.outro ? rest / 2 : rest;
}

/**
 * `Ad 1 of 2 · 0:12`: the ad, and the time that is left of the break.
 * @param offset seconds since the start of the break
 * @param intro seconds of the break before its first ad
 */
export function adProgress({ ads, duration }: Timed, offset: number, intro = 0): string {
  const rest = formatTimecode(Math.max(0, duration - offset));
  if (ads.length === 0) return `No ads · ${rest}`;
  let end = intro;
  const index = ads.findIndex((ad) => {
    end += ad.duration;
    return offset < end;
  });
  return `Ad ${index < 0 ? ads.length : index + 1} of ${ads.length} · ${rest}`;
}
