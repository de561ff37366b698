// SPDX-License-Identifier: Apache-2.0
// Reads the segments of media, and keeps those that were read recently in memory.
import { LRUCache } from 'lru-cache';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';
import { type MediaSegment, type ReadFile, readMediaSegment } from './readMediaSegment.ts';

export type ReadableMedium = { readonly packaged: PackagedMedia; readonly read: ReadFile };

/**
 * Reads `/m/<mediaId>/<frames>/<rungId>/<name>`. All parts are validated here.
 * @returns undefined if it does not exist
 */
export type OpenSegment = (
  mediaId: string,
  frames: string,
  rungId: string,
  name: string,
) => Promise<MediaSegment | undefined>;

const FRAMES = /^[1-9]\d{0,5}$/;
const CACHE_BYTES = 32 * 2 ** 20;

/** @param open called for each segment that is not in memory; also records that the medium is used */
export function createSegmentReader(
  open: (mediaId: string) => Promise<ReadableMedium | undefined> | ReadableMedium | undefined,
  cacheBytes = CACHE_BYTES,
): OpenSegment {
  const segments = new LRUCache<string, MediaSegment>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 200,
  });
  return async (mediaId, frames, rungId, name) => {
    if (!FRAMES.test(frames)) return undefined;
    const key = `${mediaId}/${frames}/${rungId}/${name}`;
    const cached = segments.get(key);
    if (cached !== undefined) return cached;
    const medium = await open(mediaId);
    if (medium === undefined) return undefined;
    const segment = await readMediaSegment(medium.read, medium.packaged, Number(frames), rungId, name);
    if (segment !== undefined) segments.set(key, segment);
    return segment;
  };
}
