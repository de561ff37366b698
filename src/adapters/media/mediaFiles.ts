// Media folders on disk: one for each conditioned medium, whole or not there at all. They are made beside the others
// under a name that no request can ask for, and renamed when complete; the folder is the truth, across processes too.
// A folder is called after its content. What a medium is wanted as (a creative for a ladder) is a small file beside the
// folders, which tells the folder's name.
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { MediaStore } from '../../ingest/package/mediaStore.ts';
import { unpackRows } from '../../ingest/package/packAsset.ts';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';
import { millis } from '../../time/units.ts';
import { type MediaSegment, readSegment } from './mediaFilesSegment.ts';
import { createShelfRoom, createUseMarker, NAME_ENDING } from './mediaFilesSweep.ts';
import { clearWorkshops, openWorkshop, WORKSHOP } from './mediaFilesWorkshop.ts';

export type MediaFiles = MediaStore & {
  /**
   * What `/m/<mediaId>/<frames>/<rungId>/<name>` names; everything is checked here, nothing is trusted.
   * @returns undefined for what does not exist
   */
  openSegment(mediaId: string, frames: string, rungId: string, name: string): Promise<MediaSegment | undefined>;
  /** It is played, though it is not served from here. */
  markUsed(mediaId: string): void;
  /** Takes away what processes that died had begun, and media that must make room. @returns ids of those that went */
  clear(): Promise<readonly string[]>;
};

export type MediaFilesOptions = {
  /** Media are made and kept in `<dataDir>/media`. */
  readonly dataDir: string;
  /** Folders with media that came along; read, never written. */
  readonly prebuilt?: readonly string[];
  /** Media that have not been used for a day go when all together are larger; 50 GiB unless told. */
  readonly mostBytes?: number;
  readonly cacheBytes?: number;
};

const ID = /^[0-9a-f]{8,64}$/;
const FRAMES = /^[1-9]\d{0,5}$/;

/** How long what was read of a medium is believed: another process may take it away after a day without use. */
const BELIEVED_MS = 600_000;

export function createMediaFiles(options: MediaFilesOptions): MediaFiles {
  const { dataDir, prebuilt = [], mostBytes = 50 * 2 ** 30, cacheBytes = 32 * 2 ** 20 } = options;
  const shelf = join(dataDir, 'media');
  const shelves = [shelf, ...prebuilt];
  const markUsed = createUseMarker();
  const room = createShelfRoom(shelf, mostBytes);
  const known = new LRUCache<string, { folder: string; packaged: PackagedMedia }>({ max: 1000, ttl: BELIEVED_MS });
  const built = new LRUCache<string, MediaSegment>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 200,
  });

  const open = (id: string) => {
    if (!ID.test(id)) return undefined;
    const entry = known.get(id) ?? readMeta(shelves, id) ?? readMeta(shelves, readName(shelves, id));
    if (entry !== undefined) known.set(id, entry);
    return entry;
  };
  const nameFile = (name: string) => join(shelf, name + NAME_ENDING);
  return {
    find: (id) => open(id)?.packaged,
    folderOf: (id) => open(id)?.folder,
    open: (id) => openWorkshop(shelf, id),
    async name(name, id) {
      if (name === id) return;
      await mkdir(shelf, { recursive: true });
      const draft = join(shelf, `${WORKSHOP}name-${name}-${process.pid}`);
      await writeFile(draft, id, { flush: true });
      await rename(draft, nameFile(name));
      known.delete(name);
    },
    async unname(name) {
      await rm(nameFile(name), { force: true });
      known.delete(name);
    },
    full: () => room.full(),
    async clear() {
      await clearWorkshops(shelf);
      const gone = await room.sweep();
      for (const id of gone) known.delete(id);
      return gone;
    },
    async usedAt(id) {
      const folder = open(id)?.folder;
      const times = folder === undefined ? undefined : await stat(join(folder, 'meta.json')).catch(() => undefined);
      return times && millis(Math.round(times.mtimeMs));
    },
    markUsed(id) {
      const medium = open(id);
      if (medium !== undefined) markUsed(medium.folder);
    },
    async openSegment(mediaId, frames, rungId, name) {
      if (!FRAMES.test(frames)) return undefined;
      const key = `${mediaId}/${frames}/${rungId}/${name}`;
      const ready = built.get(key);
      if (ready !== undefined) return ready;
      const medium = open(mediaId);
      if (medium === undefined) return undefined;
      markUsed(medium.folder);
      const segment = await readSegment(medium.folder, medium.packaged, Number(frames), rungId, name);
      if (segment !== undefined) built.set(key, segment);
      return segment;
    },
  };
}

/** The text of the first of these files that is there. */
function readFirst(paths: readonly string[]): { text: string; index: number } | undefined {
  for (const [index, path] of paths.entries()) {
    try {
      return { text: readFileSync(path, 'utf8'), index };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}

function readMeta(shelves: readonly string[], id: string): { folder: string; packaged: PackagedMedia } | undefined {
  const folders = shelves.map((shelf) => join(shelf, id));
  const found = ID.test(id) ? readFirst(folders.map((folder) => join(folder, 'meta.json'))) : undefined;
  return found && { folder: folders[found.index]!, packaged: JSON.parse(found.text, unpackRows) as PackagedMedia };
}

/** The id that a name stands for; empty when it stands for none. */
const readName = (shelves: readonly string[], name: string): string =>
  readFirst(shelves.map((shelf) => join(shelf, name + NAME_ENDING)))?.text ?? '';
