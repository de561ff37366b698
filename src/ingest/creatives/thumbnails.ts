// SPDX-License-Identifier: Apache-2.0
// Thumbnails of media, made on the first request and stored with the media.
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { framesToSeconds } from '../../time/frameRate.ts';
import { takeFrame } from '../condition/sourceFrames.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';
import type { Ffmpeg } from '../ports.ts';
import { createTaskQueue } from '../taskQueue.ts';

const FILE = 'thumbnail.jpg';
/** Few, because thumbnails must not slow down the encoders. */
const CONCURRENT = 2;

export type Thumbnails = {
  /** @returns a JPEG, or undefined if the media do not exist or have no video */
  of(mediaId: string): Promise<Uint8Array | undefined>;
};

export function createThumbnails(media: Pick<MediaStore, 'find' | 'load' | 'inFolder'>, ffmpeg: Ffmpeg): Thumbnails {
  const queue = createTaskQueue(CONCURRENT);
  const cache = new LRUCache<string, Promise<Uint8Array | undefined>>({ max: 200 });

  async function make(mediaId: string): Promise<Uint8Array | undefined> {
    await media.load([mediaId]);
    const packaged = media.find(mediaId);
    const track = packaged?.tracks.find(({ kind }) => kind === 'video');
    if (packaged === undefined || track === undefined) return undefined;
    return media.inFolder(mediaId, [track.file], (folder) => makeIn(folder, packaged, track.file));
  }

  async function makeIn(folder: string, packaged: PackagedMedia, video: string): Promise<Uint8Array | undefined> {
    const stored = await readFile(join(folder, FILE)).catch(() => undefined);
    if (stored !== undefined) return stored;
    const middle = framesToSeconds(packaged.media.frames, packaged.frameRate) / 2;
    const thumbnail = await takeFrame(ffmpeg, folder, video, middle);
    if (thumbnail === undefined) return undefined;
    await store(folder, thumbnail);
    return thumbnail;
  }

  return {
    async of(mediaId) {
      const making = cache.get(mediaId) ?? queue.run(() => make(mediaId), false);
      cache.set(mediaId, making);
      const thumbnail = await making.catch(() => undefined);
      if (thumbnail === undefined) cache.delete(mediaId);
      return thumbnail;
    },
  };
}

/** Ignores folders that cannot be written, such as those of prebuilt media. */
async function store(folder: string, thumbnail: Uint8Array): Promise<void> {
  const draft = join(folder, `.${FILE}-${randomUUID()}`);
  try {
    await writeFile(draft, thumbnail);
    await rename(draft, join(folder, FILE));
  } catch {
    // The thumbnail will be made again on the next request after a restart.
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
