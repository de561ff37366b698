// SPDX-License-Identifier: Apache-2.0
// What keeps a backup origin from replacing the origin of a feed.
import type { LiveChannel } from '../../channels/channel.ts';
import { nearestRendition, variantInPlace } from '../../ingest/live/hls/renditionKeys.ts';
import type { OriginAnalysis } from '../../ingest/live/originAnalysis.ts';
import type { LiveFeed } from '../../live/feed.ts';
import { backupsFor } from '../../live/feed.ts';
import type { Asset } from '../../timeline/asset/asset.ts';

type AnalyseOrigin = (url: string, segmentationTypes?: readonly number[]) => Promise<OriginAnalysis>;

const PREFIX = 'backupManifestUrls';

export const isBackupWarning = (text: string): boolean => text.startsWith(PREFIX);

/** One sentence for each backup that cannot be used as it is. */
export async function backupWarnings(analyse: AnalyseOrigin, channel: LiveChannel, feed: LiveFeed): Promise<string[]> {
  const all = channel.backupManifestUrls ?? [];
  const own = backupsFor(all, feed.format);
  const found = await Promise.all(
    all.map(async (url, index) => {
      if (!own.includes(url) && channel.sourceDashUrl !== undefined) return [];
      const fault = own.includes(url)
        ? faultOf(feed, await analyse(url, channel.segmentationTypes), channel)
        : otherFormat(feed, feed.format === 'hls' ? 'dash' : 'hls');
      return fault === undefined ? [] : [`${PREFIX}[${index}] cannot replace ${feed.url}: ${fault}.`];
    }),
  );
  return found.flat();
}

const otherFormat = ({ format }: LiveFeed, found: LiveFeed['format']): string =>
  `it is ${found.toUpperCase()}, not ${format.toUpperCase()}`;

function faultOf(
  feed: LiveFeed,
  { playable, problems }: OriginAnalysis,
  { sourceDashUrl }: LiveChannel,
): string | undefined {
  if (playable === undefined) return problems.join('; ');
  const isForOther = playable.format === 'dash' && sourceDashUrl !== undefined;
  if (playable.format !== feed.format) return isForOther ? undefined : otherFormat(feed, playable.format);
  const missing = missingRungs(feed, playable.asset.renditions);
  const faults = missing.length > 0 ? [`it has no rendition ${missing.join(', ')}`] : [];
  const given = feed.ladder.targetDuration;
  if (playable.targetDuration > given)
    faults.push(`its target duration is ${playable.targetDuration} s, longer than ${given} s`);
  return faults.length === 0 ? undefined : faults.join('; ');
}

/** The rungs for which the readers of the origins on air find no rendition: they take the nearest one. */
function missingRungs({ format, rungs }: LiveFeed, renditions: Asset['renditions']): string[] {
  const keys = renditions.map(({ id }) => id);
  const free = keys.filter((key) => rungs.every((rung) => rung.key !== key));
  const inPlaceOf = (key: string) => nearestRendition(key, free) ?? variantInPlace(key, keys);
  const isFound = ({ key, kind }: LiveFeed['rungs'][number]): boolean =>
    keys.includes(key) ||
    kind === 'text' ||
    (format === 'hls' ? inPlaceOf(key) !== undefined : renditions.some((one) => one.kind === kind));
  return rungs.filter((rung) => !isFound(rung)).map(({ key }) => key);
}
