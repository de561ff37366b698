// SPDX-License-Identifier: Apache-2.0
// Still frames of imported assets: one segment is fetched through the egress guard and decoded by ffmpeg, which opens nothing
// but that file. What this costs is bounded: one small rendition, few frames at a time, and a cache.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { joinBytes } from '../../mp4/boxes.ts';
import { firstNumber, numberAt } from '../../time/row.ts';
import { flicksToSeconds } from '../../time/units.ts';
import { type Asset, hasVideo, type Rendition } from '../../timeline/asset/asset.ts';
import type { Ffmpeg, Origin } from '../ports.ts';
import { createTaskQueue } from '../taskQueue.ts';
import { quietly, safeInput } from './encode/encodeArguments.ts';
import { pieceReader } from './fetch/fetchSource.ts';

/** Renditions with fewer lines are used only if there is no other one. */
const MIN_HEIGHT = 180;
const MAX_SEGMENT_BYTES = 32 * 2 ** 20;
const MAX_CACHE_BYTES = 16 * 2 ** 20;
const CONCURRENT = 2;
const MAX_WAITING = 12;
/** Files of a process that was killed. */
const LEFT_BEHIND_MS = 600_000;
/** Seconds before the end of a segment: its last frame starts earlier. */
const LAST_FRAME = 0.1;

/** The rendition that is cheapest to fetch and still large enough to recognize. */
function previewRendition({ renditions }: Asset): Rendition | undefined {
  const videos = renditions.filter(({ kind }) => hasVideo(kind)).sort((a, b) => a.bandwidth - b.bandwidth);
  return videos.find(({ height }) => height === undefined || height >= MIN_HEIGHT) ?? videos.at(-1);
}

type FramePlace = NonNullable<ReturnType<typeof framePlace>>;

/** The segment that contains an instant, and the seconds in it; at the end of the asset, its last frame. */
export function framePlace(asset: Asset, seconds: number) {
  const rendition = previewRendition(asset);
  if (rendition === undefined || !(seconds >= 0)) return undefined;
  const at = Math.min(seconds, flicksToSeconds(asset.duration));
  const part = asset.parts.findLastIndex(({ start }) => flicksToSeconds(start) <= at);
  const [begun, track] = [asset.parts[part], rendition.tracks[part]];
  if (begun === undefined || track === undefined || track.borders.length < 2) return undefined;
  const { borders, gaps } = track;
  const time = firstNumber(borders) + (at - flicksToSeconds(begun.start)) * rendition.timescale;
  // Half a tick against rounding: an instant at a border belongs to the segment that starts there.
  const following = borders.findIndex((border) => border > time + 0.5);
  const segment = following < 0 ? borders.length - 2 : Math.max(0, following - 1);
  if (gaps?.has(segment)) return undefined;
  const length = (numberAt(borders, segment + 1) - numberAt(borders, segment)) / rendition.timescale;
  const offset = (time - numberAt(borders, segment)) / rendition.timescale;
  return { rendition, part, segment, offset: Math.max(0, Math.min(offset, length - LAST_FRAME)) };
}

export function createSourceFrames(origin: Origin, ffmpeg: Ffmpeg, folder: string) {
  const queue = createTaskQueue(CONCURRENT);
  const cache = new LRUCache<string, Uint8Array>({ maxSize: MAX_CACHE_BYTES, sizeCalculation: ({ length }) => length });
  const underWay = new Map<string, Promise<Uint8Array | undefined>>();

  async function make({ rendition, part, segment, offset }: FramePlace): Promise<Uint8Array | undefined> {
    const track = rendition.tracks[part];
    if (track === undefined) return undefined;
    const read = pieceReader(track, rendition.timescale, origin);
    const bytes: Uint8Array[] = [];
    for (const piece of track.init ? [-1, segment] : [segment]) {
      const found = await read(piece, MAX_SEGMENT_BYTES);
      if ('refused' in found) return undefined;
      bytes.push(found);
    }
    await mkdir(folder, { recursive: true });
    await removeLeftBehind(folder);
    const file = `${randomUUID()}.media`;
    try {
      await writeFile(join(folder, file), joinBytes(bytes));
      // The media of a segment may start later than its border.
      return (
        (await takeFrame(ffmpeg, folder, file, offset)) ??
        (offset > 0 ? await takeFrame(ffmpeg, folder, file, 0) : undefined)
      );
    } finally {
      await rm(join(folder, file), { force: true });
    }
  }

  return {
    /**
     * @param seconds of the asset
     * @returns a JPEG; undefined without a frame there, for example of audio or of protected media; `busy` if too many are waiting
     */
    async frameAt(asset: Asset, seconds: number): Promise<Uint8Array | undefined | 'busy'> {
      const place = framePlace(asset, seconds);
      if (place === undefined) return undefined;
      const key = `${asset.id} ${place.part} ${place.segment} ${place.offset.toFixed(1)}`;
      const known = cache.get(key) ?? underWay.get(key);
      if (known !== undefined) return known;
      if (queue.waiting() >= MAX_WAITING) return 'busy';
      const making = queue.run(() => make(place), false).finally(() => underWay.delete(key));
      underWay.set(key, making);
      const frame = await making;
      if (frame !== undefined) cache.set(key, frame);
      return frame;
    },
  };
}

async function removeLeftBehind(folder: string): Promise<void> {
  const before = Date.now() - LEFT_BEHIND_MS;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && facts.mtimeMs < before) await rm(path, { force: true });
  }
}

// A still frame of a file as a JPEG image, at most 320 pixels wide.

const WIDTH = 320;
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 2 ** 20;

/** @param at seconds from the start of `file`, which is in `folder`. @returns undefined if it has no frame there */
export async function takeFrame(ffmpeg: Ffmpeg, folder: string, file: string, at: number) {
  const pieces: Uint8Array[] = [];
  const result = await ffmpeg.run('ffmpeg', {
    arguments: [
      ...[...quietly(1), '-ss', at.toFixed(3), ...safeInput(file)],
      ...['-an', '-frames:v', '1', '-vf', `scale=w='min(${WIDTH},iw)':h=-2`, '-f', 'mjpeg', 'pipe:1'],
    ],
    folder,
    timeoutMs: TIMEOUT_MS,
    stdout: async (chunks) => {
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > MAX_BYTES) throw new Error(`a frame must have at most ${MAX_BYTES} bytes`);
        pieces.push(chunk);
      }
    },
  });
  return result.ok && pieces.length > 0 ? joinBytes(pieces) : undefined;
}
