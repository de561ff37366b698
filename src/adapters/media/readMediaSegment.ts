// SPDX-License-Identifier: Apache-2.0
// Reads one segment or init section of a medium: stored bytes if they match, otherwise packaged from samples.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { fillerSegment } from '../../ingest/package/fillerSegment.ts';
import {
  type PackagedMedia,
  type PlayedSamples,
  packagedRanges,
  packageSegment,
  type SampleRange,
  storedSegments,
  takeSamples,
  tracksOf,
} from '../../ingest/package/packagedMedia.ts';
import { joinBytes } from '../../mp4/boxes.ts';
import { writeMuxedInit } from '../../mp4/writeInit.ts';
import { readJoined } from '../../timeline/asset/audioJoin.ts';

/** Bytes of a file of the medium. Rejects if it does not have that many. */
export type ReadFile = (file: string, offset: number, length: number) => Promise<Uint8Array>;

export type MediaSegment = { readonly bytes: Uint8Array; readonly contentType: string };

const FILLER = /^t\d{1,3}$/;
const NAME = /^(?:(0|[1-9]\d{0,6})\.(m4s|ts)|init\.mp4)$/;

/** @returns undefined if the medium has no segment or init section of that name */
async function readMediaSegment({ read, packaged }: ReadableMedium, frames: number, folder: string, name: string) {
  if (FILLER.test(folder)) return fillerSegment(packaged, frames, name);
  const { rung: rungId, join } = readJoined(folder) ?? {};
  const [matched, number, ending] = NAME.exec(name) ?? [];
  const rung = packaged.rungs.find(({ id }) => id === rungId);
  if (matched === undefined || rung === undefined) return undefined;
  if (join !== undefined && (rung.audio === undefined || packaged.media.startFrame === undefined)) return undefined;
  const index = Number(number ?? 0);
  const ranges = packagedRanges(packaged, rung, frames, index, join);
  if (ranges === undefined) return undefined;
  const isTs = packaged.container === 'ts';
  const contentType = isTs ? 'video/mp2t' : rung.video === undefined ? 'audio/mp4' : 'video/mp4';
  if (ending === undefined) {
    if (isTs) return undefined;
    const inits = tracksOf(packaged, rung).map((track) => read(track.file, 0, track.initSize));
    const [init, another] = await Promise.all(inits);
    return init && { bytes: another === undefined ? init : writeMuxedInit(init, another), contentType };
  }
  if ((ending === 'ts') !== isTs) return undefined;
  const [first, second] = ranges;
  const stored = first && !isTs && second === undefined ? storedUnchanged(first, index) : undefined;
  if (stored !== undefined) return { bytes: await read(stored.file, stored.offset, stored.length), contentType };
  const played = await Promise.all(ranges.map((range) => readSamples(read, range)));
  return { bytes: packageSegment(packaged.container, index, played, rung.transport), contentType };
}

/** The location of a segment that can be sent as it is stored. */
function storedUnchanged({ track, start, count, time, before, repeated }: SampleRange, index: number) {
  const stored = storedSegments(track, start, count);
  const isMoved = time !== (track.first + start) * track.unit || before !== undefined || repeated !== undefined;
  const isStored = stored.isWhole && stored.from === index && stored.to === index + 1 && !isMoved;
  return isStored ? { ...stored, file: track.file } : undefined;
}

async function readSamples(read: ReadFile, range: SampleRange): Promise<PlayedSamples> {
  const { track, start, count, time, before, repeated = 0 } = range;
  const take = async (from: number, samples: number) => {
    const { offset, length, skip } = storedSegments(track, from, samples);
    return takeSamples(await read(track.file, offset, length), skip, samples);
  };
  const parts = [...(before === undefined ? [] : [await take(before, 1)]), await take(start, count)];
  const last = repeated === 0 ? undefined : await take(start + count - 1, 1);
  if (last !== undefined) parts.push(...new Array<typeof last>(repeated).fill(last));
  return { track, time, sizes: parts.flatMap(({ sizes }) => sizes), data: joinBytes(parts.map(({ data }) => data)) };
}

export const readFrom =
  (folder: string): ReadFile =>
  async (name, offset, length) => {
    const file = await open(join(folder, name));
    try {
      const bytes = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      if (bytesRead !== length) throw new Error(`${name} must have ${length} bytes at ${offset}; got ${bytesRead}.`);
      return bytes;
    } finally {
      await file.close();
    }
  };

// Reads the segments of media, and keeps those that were read recently in memory.

type ReadableMedium = { readonly packaged: PackagedMedia; readonly read: ReadFile };

/** Reads `/m/<mediaId>/<frames>/<rungId>/<name>`, whose parts it validates. @returns undefined if it does not exist */
export type OpenSegment = (id: string, frames: string, rung: string, name: string) => Promise<MediaSegment | undefined>;

const FRAMES = /^[1-9]\d{0,5}$/;
const CACHE_BYTES = 32 * 2 ** 20;

/** @param open called for each segment that is not in memory; also records that the medium is used */
export function createSegmentReader(open: (mediaId: string) => ReadableMedium | undefined): OpenSegment {
  const sizeCalculation = ({ bytes }: MediaSegment): number => bytes.length + 200;
  const segments = new LRUCache<string, MediaSegment>({ maxSize: CACHE_BYTES, sizeCalculation });
  return async (mediaId, frames, rungId, name) => {
    if (!FRAMES.test(frames)) return undefined;
    const key = `${mediaId}/${frames}/${rungId}/${name}`;
    const cached = segments.get(key);
    if (cached !== undefined) return cached;
    const medium = open(mediaId);
    if (medium === undefined) return undefined;
    const segment = await readMediaSegment(medium, Number(frames), rungId, name);
    if (segment !== undefined) segments.set(key, segment);
    return segment;
  };
}
