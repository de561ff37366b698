// Media folders on disk: one for each conditioned medium, whole or not there at all. They are made beside the others
// under a name that no request can ask for, and renamed when complete; the folder is the truth, across processes too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { MediaShelf } from '../ingest/conditionPorts.ts';
import { unpackRows } from '../ingest/packAsset.ts';
import type { PackagedMedia } from '../ingest/packagedMedia.ts';
import { type MediaSegment, readSegment } from './mediaFilesSegment.ts';
import { createUseMarker, sweepMedia } from './mediaFilesSweep.ts';
import { claimWorkshop, clearWorkshops } from './mediaFilesWorkshop.ts';

export type MediaFiles = MediaShelf & {
  /**
   * What `/m/<mediaId>/<frames>/<rungId>/<name>` names; everything is checked here, nothing is trusted.
   * @returns undefined for what does not exist
   */
  openSegment(mediaId: string, frames: string, rungId: string, name: string): Promise<MediaSegment | undefined>;
  /** It is played, though it is not served from here. */
  markUsed(mediaId: string): void;
  /** Takes away what processes that died had begun; called once, when this one starts. */
  clear(): Promise<void>;
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
  const markUsed = createUseMarker();
  const known = new LRUCache<string, { folder: string; packaged: PackagedMedia }>({ max: 1000, ttl: BELIEVED_MS });
  const built = new LRUCache<string, MediaSegment>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 200,
  });

  const open = (id: string) => {
    const entry = known.get(id) ?? (ID.test(id) ? readMeta([shelf, ...prebuilt], id) : undefined);
    if (entry !== undefined) known.set(id, entry);
    return entry;
  };
  return {
    find: (id) => open(id)?.packaged,
    async claim(id) {
      await sweepMedia(shelf, mostBytes);
      return claimWorkshop(shelf, id);
    },
    markUsed(id) {
      const medium = open(id);
      if (medium !== undefined) markUsed(medium.folder);
    },
    clear: () => clearWorkshops(shelf),
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

function readMeta(shelves: readonly string[], id: string): { folder: string; packaged: PackagedMedia } | undefined {
  for (const shelf of shelves) {
    const folder = join(shelf, id);
    try {
      const text = readFileSync(join(folder, 'meta.json'), 'utf8');
      return { folder, packaged: JSON.parse(text, unpackRows) as PackagedMedia };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}
