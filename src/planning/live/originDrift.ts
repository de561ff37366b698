// SPDX-License-Identifier: Apache-2.0
// Compares an origin with the feed that it is on air as: renditions cannot change on air.
import type { OriginAnalysis } from '../../ingest/live/originAnalysis.ts';
import type { LiveFeed } from '../../live/feed.ts';

/** @returns what differs, in one or more sentences; undefined if nothing that viewers notice differs */
export function originDrift(feed: LiveFeed, { playable, problems }: OriginAnalysis): string | undefined {
  if (playable === undefined) return `The origin at ${feed.url} has problems: ${problems.join('; ')}.`;
  const keys = new Set(playable.asset.renditions.map(({ id }) => id));
  const missing = feed.rungs.filter(({ key }) => !keys.has(key)).map(({ key }) => key);
  const faults: string[] = [];
  if (playable.format !== feed.format)
    faults.push(`its format was ${feed.format.toUpperCase()} and is ${playable.format.toUpperCase()} now`);
  else if (missing.length > 0) faults.push(`it no longer has ${missing.join(', ')}`);
  if (faults.length === 0) return undefined;
  return `The origin at ${feed.url} has changed since the channel went on air: ${faults.join('; ')}. To use it as it is now, disable the channel for longer than OFF_AIR_GRACE.`;
}
