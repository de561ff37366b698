// SPDX-License-Identifier: Apache-2.0
// The names of the blobs of a creative. A creative plays at several lengths, which differ only in the last segment of each
// rung, and its audio joins what is around it in several ways; equal segments are stored once. Names contain the edition, so that
// a blob never changes.
import { createHash } from 'node:crypto';
import { playedBorders } from '../../../ads/creative/conditionedAsset.ts';
import { memo } from '../../../cache/memo.ts';
import type { PackagedMedia, PackagedRung } from '../../../ingest/package/packagedMedia.ts';
import { readJoined } from '../../../timeline/asset/audioJoin.ts';

type CloudObject = { readonly name: string; readonly rungId: string; readonly file: string };

/** The prefix of all blobs of Midroll in a container. */
export const PREFIX = 'm/';

/** Media that are made again under the same id may differ from those before. They have another edition. */
export const editionOf = memo((packaged: PackagedMedia): string => {
  const digest = createHash('sha256').update(JSON.stringify(packaged)).digest('hex');
  return `${packaged.media.id}-${digest.slice(0, 12)}`;
});

export const mediaOf = (edition: string): string => edition.slice(0, edition.lastIndexOf('-'));

const segmentCount = ({ media, frameRate }: PackagedMedia): number =>
  playedBorders(media.frames, media.frames, frameRate).length - 1;

/**
 * The blob with the segment or initialization section `file` of a rung.
 * @param folder of the rung, with the join of its audio (timeline/asset/audioJoin.ts)
 */
export function objectName(packaged: PackagedMedia, frames: number, folder: string, file: string): string {
  const index = Number.parseInt(file, 10);
  const isLast = index === segmentCount(packaged) - 1;
  const own = isLast && index === 0 ? folder : sharedFolder(packaged, folder, index, isLast);
  return `${PREFIX}${editionOf(packaged)}/${isLast ? `${frames}/` : ''}${own}/${file}`;
}

/** The folder with the same segment as another one, or its own. */
function sharedFolder({ rungs }: PackagedMedia, folder: string, index: number, isLast: boolean): string {
  const { rung = folder, join } = readJoined(folder) ?? {};
  if (join === undefined || Number.isNaN(index)) return rung;
  // The leads of muxed rungs are a whole frame or none, so that they only affect the first segment (`soundOf` in
  // ads/placement/breakClips.ts).
  const isMuxed = rungs.some(({ id, video }) => id === rung && video !== undefined);
  if (isMuxed && isLast) return join.end === undefined ? rung : folder.replace(/-\d/, '-0');
  if (isMuxed) return index === 0 && join.lead > 0 ? `${rung}-${join.lead}` : rung;
  return isLast ? folder : `${rung}-${join.lead}`;
}

/** Whether manifests list a folder, so that its files are published with the creative. */
export const isListed = (packaged: PackagedMedia, folder: string): boolean =>
  packaged.rungs.some((rung) => foldersOf(packaged, rung).includes(folder));

/** The folders that manifests list. */
function foldersOf(packaged: PackagedMedia, { id, video, audio }: PackagedRung): string[] {
  if (audio === undefined || packaged.media.startFrame === undefined) return [id];
  const leads = video === undefined ? [0, 1, 2, 3, 4] : [0, 4];
  const last = segmentCount(packaged) - 1;
  return leads.flatMap((lead) => ['', `-${last}-0`, `-${last}-4`].map((end) => `${id}-${lead}${end}`));
}

/** All blobs of a creative at a length. The creative is published when all of them exist. */
export function cloudObjects(packaged: PackagedMedia, frames: number): CloudObject[] {
  const isTs = packaged.container === 'ts';
  const segments = Array.from({ length: segmentCount(packaged) }, (_, index) => `${index}.${isTs ? 'ts' : 'm4s'}`);
  const files = isTs ? segments : ['init.mp4', ...segments];
  const objects = new Map<string, CloudObject>();
  for (const rungId of packaged.rungs.flatMap((rung) => foldersOf(packaged, rung))) {
    for (const file of files) {
      const name = objectName(packaged, frames, rungId, file);
      if (!objects.has(name)) objects.set(name, { name, rungId, file });
    }
  }
  return [...objects.values()];
}

/** Counts the blobs of an edition for a length: those of all lengths, and those of this length. */
export function countObjects(names: readonly string[]): (edition: string, frames: number) => number {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (!name.startsWith(PREFIX)) continue;
    const [edition = '', length, ...rest] = name.slice(PREFIX.length).split('/');
    if (rest.length === 0) continue;
    const key = rest.length === 1 ? edition : `${edition}/${length}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (edition, frames) => (counts.get(edition) ?? 0) + (counts.get(`${edition}/${frames}`) ?? 0);
}
