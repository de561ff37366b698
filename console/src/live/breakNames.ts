// SPDX-License-Identifier: Apache-2.0
import { formatCount } from '../format/numbers.ts';
import { formatDuration } from '../format/time.ts';
import { actualDuration } from './breakState.ts';
import type { LiveBreak } from './liveTypes.ts';
import { isInserted } from './mergeInserted.ts';

/** Where a break comes from: the tag of the origin, or an operator. */
export const breakSource = ({ source, origin }: LiveBreak): string =>
  isInserted({ source }) ? 'Inserted' : origin === undefined ? source : `${source} (${origin.toUpperCase()})`;

/** `30 s`, or `12 s of 30 s` if it ended at another time than announced. */
export function breakLength(one: LiveBreak): string {
  const [actual, announced] = [actualDuration(one), one.duration];
  if (actual === undefined) return announced === undefined ? 'Open' : formatDuration(announced);
  const isAsAnnounced = announced === undefined || Math.abs(actual - announced) < 0.1;
  return isAsAnnounced ? formatDuration(actual) : `${formatDuration(actual)} of ${formatDuration(announced)}`;
}

/** How many of the viewers whose ads have been decided have ads of their own: `11 of 12 with ads` */
export const breakViewers = ({ viewers, kind }: LiveBreak): string =>
  kind === 'blackout' || viewers === undefined
    ? '–'
    : `${formatCount(viewers.withAds)} of ${formatCount(viewers.decided)} with ads`;
