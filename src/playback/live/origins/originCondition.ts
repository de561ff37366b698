// SPDX-License-Identifier: Apache-2.0
// How the origin of a feed is, and what viewers are shown, from what this process has read.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OnAir, OriginEvent, OriginHealth } from '../../../live/originHealth.ts';
import type { LiveFeedHealth } from './feedHealth.ts';
import type { Standing } from './sourceChoice.ts';

export function onAirOf({ url }: LiveFeed, { isAway, source, since }: Standing): OnAir | undefined {
  if (since === undefined) return undefined;
  if (isAway) return { kind: 'slate', since };
  return source === undefined ? { kind: 'source', url, since } : { kind: 'backup', url: source, since };
}

export type OriginTrouble = Pick<OriginHealth, 'since' | 'reason'> & {
  readonly state: 'stalled' | 'ended' | 'failing';
};

export function troubleOf({ failure, stall }: LiveFeedHealth): OriginTrouble | undefined {
  if (failure !== undefined) return { state: 'failing', since: failure.since, reason: failure.sentence };
  return stall && { state: stall.kind, since: stall.since, reason: stall.reason };
}

/** A single failure is not recorded unless it has consequences. */
const isSettled = ({ failure, readAt }: LiveFeedHealth, { isAway }: Standing): boolean =>
  failure === undefined ? readAt !== undefined : isAway || failure.count > 1;

/** @returns undefined while it is not certain: the origin has not been read yet, or reading it has failed for the first time */
export function originConditionOf(
  feed: LiveFeed,
  health: LiveFeedHealth,
  standing: Standing,
): Omit<OriginEvent, 'at'> | undefined {
  const onAir = onAirOf(feed, standing);
  if (onAir === undefined || !isSettled(health, standing)) return undefined;
  const trouble = troubleOf(health);
  const reason = trouble?.reason ?? (standing.isAway ? standing.reason : undefined);
  return {
    origin: feed.format,
    state: trouble?.state ?? 'ok',
    onAir: onAir.kind,
    ...(onAir.url === undefined ? {} : { url: onAir.url }),
    ...(reason === undefined ? {} : { reason }),
  };
}
