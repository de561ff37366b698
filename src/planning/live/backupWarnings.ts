// SPDX-License-Identifier: Apache-2.0
// What keeps a backup origin from replacing the origin of a feed.
import type { Channel } from '../../channels/channel.ts';
import type { OriginAnalysis } from '../../ingest/live/originAnalysis.ts';
import { backupsFor } from '../../live/backupsFor.ts';
import type { LiveFeed } from '../../live/feed.ts';

type AnalyseOrigin = (url: string, segmentationTypes?: readonly number[]) => Promise<OriginAnalysis>;

const PREFIX = 'backupManifestUrls';

export const isBackupWarning = (text: string): boolean => text.startsWith(PREFIX);

/** One sentence for each backup that cannot be used as it is. */
export async function backupWarnings(analyse: AnalyseOrigin, channel: Channel, feed: LiveFeed): Promise<string[]> {
  const all = channel.backupManifestUrls ?? [];
  const found = await Promise.all(
    backupsFor(all, feed.format).map(async (url) => {
      const fault = faultOf(feed, await analyse(url, channel.segmentationTypes), channel);
      return fault === undefined ? [] : [`${PREFIX}[${all.indexOf(url)}] cannot replace ${feed.url}: ${fault}.`];
    }),
  );
  return found.flat();
}

function faultOf(
  feed: LiveFeed,
  { playable, problems }: OriginAnalysis,
  { sourceDashUrl }: Channel,
): string | undefined {
  if (playable === undefined) return problems.join('; ');
  const isForOther = playable.format === 'dash' && sourceDashUrl !== undefined;
  if (playable.format !== feed.format)
    return isForOther ? undefined : `it is ${playable.format.toUpperCase()}, not ${feed.format.toUpperCase()}`;
  const keys = new Set(playable.asset.renditions.map(({ id }) => id));
  const missing = feed.rungs.filter(({ key }) => !keys.has(key)).map(({ key }) => key);
  const faults = missing.length > 0 ? [`it has no rendition ${missing.join(', ')}`] : [];
  const given = feed.ladder.targetDuration;
  if (playable.targetDuration > given)
    faults.push(`its target duration is ${playable.targetDuration} s, longer than ${given} s`);
  return faults.length === 0 ? undefined : faults.join('; ');
}
