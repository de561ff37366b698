// Pictures of media, made when somebody looks for the first time and kept beside the media.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { joinBytes } from '../../mp4/boxes.ts';
import { safeInput } from '../condition/encode/encodeArguments.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import type { Ffmpeg } from '../ports.ts';
import { createTaskQueue } from '../taskQueue.ts';

const FILE = 'thumbnail.jpg';
const WIDTH = 320;
const TIMEOUT_MS = 20_000;
const MOST_BYTES = 2 ** 20;
/** At once: somebody who pages through a list must not take the processors from the encoders. */
const AT_ONCE = 2;

export type Thumbnails = {
  /** A JPEG; undefined when the medium is not there or has no pictures. */
  of(mediaId: string): Promise<Uint8Array | undefined>;
};

export function createThumbnails(mediaStore: Pick<MediaStore, 'find' | 'folderOf'>, ffmpeg: Ffmpeg): Thumbnails {
  const turns = createTaskQueue(AT_ONCE);
  const known = new LRUCache<string, Promise<Uint8Array | undefined>>({ max: 200 });

  async function make(mediaId: string): Promise<Uint8Array | undefined> {
    const folder = mediaStore.folderOf(mediaId);
    const packaged = mediaStore.find(mediaId);
    const track = packaged?.tracks.find(({ kind }) => kind === 'video');
    if (folder === undefined || packaged === undefined || track === undefined) return undefined;
    const kept = await readFile(join(folder, FILE)).catch(() => undefined);
    if (kept !== undefined) return kept;
    const middle = (packaged.media.frames * packaged.frameRate.d) / packaged.frameRate.n / 2;
    const pieces: Uint8Array[] = [];
    const result = await ffmpeg.run('ffmpeg', {
      arguments: [
        ...['-hide_banner', '-nostdin', '-v', 'warning', '-threads', '1', '-ss', middle.toFixed(3)],
        ...safeInput(track.file),
        ...['-frames:v', '1', '-vf', `scale=w='min(${WIDTH},iw)':h=-2`, '-f', 'mjpeg', 'pipe:1'],
      ],
      folder,
      timeoutMs: TIMEOUT_MS,
      stdout: async (chunks) => {
        let size = 0;
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > MOST_BYTES) throw new Error('the picture is too large');
          pieces.push(chunk);
        }
      },
    });
    if (!result.ok || pieces.length === 0) return undefined;
    const picture = joinBytes(pieces);
    await keep(folder, picture);
    return picture;
  }

  return {
    async of(mediaId) {
      const making = known.get(mediaId) ?? turns.run(() => make(mediaId), false);
      known.set(mediaId, making);
      const picture = await making.catch(() => undefined);
      if (picture === undefined) known.delete(mediaId);
      return picture;
    },
  };
}

/** A folder that can't be written, such as one that came along, is left as it is. */
async function keep(folder: string, picture: Uint8Array): Promise<void> {
  const draft = join(folder, `.${FILE}-${process.pid}`);
  try {
    await writeFile(draft, picture);
    await rename(draft, join(folder, FILE));
  } catch {
    // It is made again the next time.
  }
}
