// SPDX-License-Identifier: Apache-2.0
// The names of the blobs of a creative. A creative plays at several lengths, which differ only in the last segment of each
// rung; the other segments are stored once. Names contain the edition, so that a blob never changes.
import { createHash } from 'node:crypto';
import { playedBorders } from '../ads/creative/conditionedAsset.ts';
import { memo } from '../cache/memo.ts';
import type { PackagedMedia } from '../ingest/package/packagedMedia.ts';

export type CloudObject = { readonly name: string; readonly rungId: string; readonly file: string };

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

/** The blob with the segment or initialization section `file` of a rung. */
export function objectName(packaged: PackagedMedia, frames: number, rungId: string, file: string): string {
  const isLast = Number.parseInt(file, 10) === segmentCount(packaged) - 1;
  return `${PREFIX}${editionOf(packaged)}/${isLast ? `${frames}/` : ''}${rungId}/${file}`;
}

/** All blobs of a creative at a length. The creative is published when all of them exist. */
export function cloudObjects(packaged: PackagedMedia, frames: number): CloudObject[] {
  const isTs = packaged.container === 'ts';
  const segments = Array.from({ length: segmentCount(packaged) }, (_, index) => `${index}.${isTs ? 'ts' : 'm4s'}`);
  const files = isTs ? segments : ['init.mp4', ...segments];
  return packaged.rungs.flatMap(({ id: rungId }) =>
    files.map((file) => ({ name: objectName(packaged, frames, rungId, file), rungId, file })),
  );
}

/** Counts the blobs of an edition for a length: those of all lengths, and those of this length. */
export function countObjects(names: readonly string[]): (edition: string, frames: number) => number {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (!name.startsWith(PREFIX)) continue;
    const parts = name.slice(PREFIX.length).split('/');
    if (parts.length < 3) continue;
    const key = parts.length === 3 ? parts[0]! : `${parts[0]}/${parts[1]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (edition, frames) => (counts.get(edition) ?? 0) + (counts.get(`${edition}/${frames}`) ?? 0);
}
