// Which blobs a creative is made of. A creative plays at several lengths, and only the last segment of each rung knows
// the difference: the others are stored once. Names carry the edition, so that a blob, once written, never changes.
import { createHash } from 'node:crypto';
import { playedBorders } from '../ads/creative/conditionedAsset.ts';
import { memo } from '../cache/memo.ts';
import type { PackagedMedia } from '../ingest/package/packagedMedia.ts';

export type CloudObject = { readonly name: string; readonly rungId: string; readonly file: string };

/** Everything that Midroll keeps in a container lies below it. */
export const PREFIX = 'm/';

/** Media made anew may differ from those that were here before under the same id: the edition tells them apart. */
export const editionOf = memo((packaged: PackagedMedia): string => {
  const digest = createHash('sha256').update(JSON.stringify(packaged)).digest('hex');
  return `${packaged.media.id}-${digest.slice(0, 12)}`;
});

export const mediaOf = (edition: string): string => edition.slice(0, edition.lastIndexOf('-'));

const segmentCount = ({ media, frameRate }: PackagedMedia): number =>
  playedBorders(media.frames, media.frames, frameRate).length - 1;

/** The blob that a request for `file` of a rung reads. */
export function objectName(packaged: PackagedMedia, frames: number, rungId: string, file: string): string {
  const isLast = Number.parseInt(file, 10) === segmentCount(packaged) - 1;
  return `${PREFIX}${editionOf(packaged)}/${isLast ? `${frames}/` : ''}${rungId}/${file}`;
}

/** All that must be there before anything of it is played from there. */
export function cloudObjects(packaged: PackagedMedia, frames: number): CloudObject[] {
  const isTs = packaged.container === 'ts';
  const segments = Array.from({ length: segmentCount(packaged) }, (_, index) => `${index}.${isTs ? 'ts' : 'm4s'}`);
  const files = isTs ? segments : ['init.mp4', ...segments];
  return packaged.rungs.flatMap(({ id: rungId }) =>
    files.map((file) => ({ name: objectName(packaged, frames, rungId, file), rungId, file })),
  );
}

/** How many of these blobs an edition has for a length: those of any length, and those of this one. */
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
