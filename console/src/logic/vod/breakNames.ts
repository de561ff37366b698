// SPDX-License-Identifier: Apache-2.0
// The breaks of VoD sessions in words.
import type { TracedBreak } from '../../../../src/http/airContract.ts';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatTimecode } from '../format/time.ts';
import type { SessionBreak } from './openedVod.ts';

type Position = NonNullable<TracedBreak['position']>;

/** Cuts of less than this are not worth mentioning. Seconds. */
const MIN_MOVE = 0.05;

/** `Pre-roll`, `At 10:00`, `Post-roll`. */
export function breakName({ kind, contentTime }: Pick<Position, 'kind' | 'contentTime'>): string {
  if (kind === 'mid') return `At ${formatTimecode(contentTime)}`;
  return kind === 'pre' ? 'Pre-roll' : 'Post-roll';
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
export const breakFacts = ({ ads, duration }: Pick<SessionBreak, 'ads' | 'duration'>): string =>
  `${ads.length === 0 ? 'No ads' : plural(ads.length, 'ad')}, ${formatDuration(duration)}`;

/**
 * `Ad 1 of 2 · 0:12`: the ad, and the time that is left of the break.
 * @param offset seconds since the start of the break
 * @param intro seconds of the break before its first ad
 */
export function adProgress(
  { ads, duration }: Pick<SessionBreak, 'ads' | 'duration'>,
  offset: number,
  intro = 0,
): string {
  const rest = formatTimecode(Math.max(0, duration - offset));
  if (ads.length === 0) return `No ads · ${rest}`;
  let end = intro;
  const index = ads.findIndex((ad) => {
    end += ad.duration;
    return offset < end;
  });
  return `Ad ${index < 0 ? ads.length : index + 1} of ${ads.length} · ${rest}`;
}
