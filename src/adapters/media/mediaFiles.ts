// SPDX-License-Identifier: Apache-2.0
// Media folders on disk, one for each conditioned medium, shared by all processes. A folder is written under a name
// that no request can contain (mediaDrafts.ts), and renamed when it is complete. Its name is derived from its content.
// Other names of a medium (a creative for a ladder) are small files that contain the name of the folder. Conditioning
// is left to src/ingest.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { MediaStore } from '../../ingest/package/mediaStore.ts';
import { unpackRows } from '../../ingest/package/packAsset.ts';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';
import { millis } from '../../time/units.ts';
import { DRAFT_PREFIX, openMediaDraft, removeAbandonedDrafts } from './mediaDrafts.ts';
import { createMediaSpace, createUseMarker, NAME_SUFFIX, sweepFolder, UNUSED_MS } from './mediaSweep.ts';
import { createSegmentReader, type OpenSegment, readFrom } from './readMediaSegment.ts';

/** What playback uses of a store of media, besides its port. */
export type MediaFiles = MediaStore & {
  /** @throws {AppError} UNAVAILABLE if it cannot be read now */
  readonly openSegment: OpenSegment;
  /** Records that a medium is used although another server delivers it. */
  markUsed(mediaId: string): void;
  /** Removes abandoned drafts, and unused media if space is needed. @returns the ids of removed media */
  clear(): Promise<readonly string[]>;
};

export type MediaFolders = MediaFiles & {
  folderOf(id: string): string | undefined;
};

type MediaFilesOptions = {
  /** Media are stored in `<dataDir>/media`. */
  readonly dataDir: string;
  /** Folders with media that are part of the installation; read only. */
  readonly prebuilt?: readonly string[];
  /** Media that were not used for `unusedMs` are removed if the total is larger; 50 GiB by default. */
  readonly maxBytes?: number;
  /** A day by default. */
  readonly unusedMs?: number;
};

const ID = /^[0-9a-f]{8,64}$/;

/** How long the description of a medium is cached: another process may remove the medium after a day without use. */
const CACHED_MS = 600_000;

export function createMediaFiles(options: MediaFilesOptions): MediaFolders {
  const { dataDir, prebuilt = [], maxBytes = 50 * 2 ** 30, unusedMs = UNUSED_MS } = options;
  const root = join(dataDir, 'media');
  const roots = [root, ...prebuilt];
  const markUsed = createUseMarker();
  const space = createMediaSpace(Date.now, () => sweepFolder(root, maxBytes, unusedMs));
  const known = new LRUCache<string, { folder: string; packaged: PackagedMedia }>({ max: 1000, ttl: CACHED_MS });

  const open = (id: string) => {
    if (!ID.test(id)) return undefined;
    const entry = known.get(id) ?? readMeta(roots, id) ?? readMeta(roots, readName(roots, id));
    if (entry !== undefined) known.set(id, entry);
    return entry;
  };
  const nameFile = (name: string) => join(root, name + NAME_SUFFIX);
  return {
    find: (id) => open(id)?.packaged,
    load: async () => true,
    folderOf: (id) => open(id)?.folder,
    async inFolder(id, _files, work) {
      const folder = open(id)?.folder;
      return folder === undefined ? undefined : work(folder);
    },
    open: (id) => openMediaDraft(root, id),
    async name(name, id) {
      if (name === id) return;
      await mkdir(root, { recursive: true });
      const draft = join(root, `${DRAFT_PREFIX}name-${name}-${randomUUID()}`);
      await writeFile(draft, id, { flush: true });
      await rename(draft, nameFile(name));
      known.delete(name);
    },
    async unname(name) {
      await rm(nameFile(name), { force: true });
      known.delete(name);
    },
    full: () => space.full(),
    async clear() {
      await removeAbandonedDrafts(root);
      const removed = await space.sweep();
      for (const id of removed) known.delete(id);
      return removed;
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
    openSegment: createSegmentReader((id) => {
      const medium = open(id);
      if (medium === undefined) return undefined;
      markUsed(medium.folder);
      return { packaged: medium.packaged, read: readFrom(medium.folder) };
    }),
  };
}

function readFirst(paths: readonly string[]): { text: string; path: string } | undefined {
  for (const path of paths) {
    try {
      return { text: readFileSync(path, 'utf8'), path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}

function readMeta(roots: readonly string[], id: string): { folder: string; packaged: PackagedMedia } | undefined {
  const found = ID.test(id) ? readFirst(roots.map((root) => join(root, id, 'meta.json'))) : undefined;
  return found && { folder: dirname(found.path), packaged: JSON.parse(found.text, unpackRows) as PackagedMedia };
}

/** @returns the id of the named medium; empty if there is none */
const readName = (roots: readonly string[], name: string): string =>
  readFirst(roots.map((root) => join(root, name + NAME_SUFFIX)))?.text ?? '';
