// SPDX-License-Identifier: Apache-2.0
// What is on air on a live channel, for its operator: facts that are fixed while its feeds are on air.
import type { LiveChannel } from '../../channels/channel.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { Millis } from '../../time/units.ts';
import { type DescribedRendition, describeRendition } from '../describeRendition.ts';

export type LiveOriginStatus = {
  readonly url: string;
  readonly serves: 'hls' | 'dash' | 'both';
  /** Since when it is on air. */
  readonly startedAt: Millis;
  /** Seconds. */
  readonly targetDuration: number;
  readonly renditions: readonly DescribedRendition[];
  /** What is left out of the origin, and what players will notice. */
  readonly warnings?: readonly string[];
};

export type LiveStatus = { readonly hls?: LiveOriginStatus; readonly dash?: LiveOriginStatus };

const NOT_PASSED =
  'The ad markers of a DASH origin are not passed on, although markers is "pass"; only HLS playlists keep those of their origin.';

/** @param warnings may be those of the last status */
export function withMarkerWarning(
  { markers }: Pick<LiveChannel, 'markers'>,
  { format }: LiveFeed,
  warnings: readonly string[],
): readonly string[] {
  const others = warnings.filter((text) => text !== NOT_PASSED);
  return markers === 'pass' && format === 'dash' ? [...others, NOT_PASSED] : others;
}

export const originStatus = (feed: LiveFeed, warnings: readonly string[]): LiveOriginStatus => ({
  url: feed.url,
  serves: feed.serves,
  startedAt: feed.startedAt,
  targetDuration: feed.ladder.targetDuration,
  renditions: feed.rungs.map(describeRendition),
  ...(warnings.length > 0 ? { warnings } : {}),
});
