// SPDX-License-Identifier: Apache-2.0
// Conditioned media in an object store, for nodes that share no disk. Workers condition media in drafts on their own disk and
// upload them. Nodes know what exists (mediaCatalogue.ts) and keep the pieces that they serve (pieceCache.ts). Requests to the
// store are limited while it is unavailable (storeGate.ts).
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaStore } from '../../../ingest/package/mediaStore.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import type { Timers } from '../../../time/clock.ts';
import type { Millis } from '../../../time/units.ts';
import { openMediaDraft, removeAbandonedDrafts } from '../mediaDrafts.ts';
import { createMediaFiles, type MediaFiles } from '../mediaFiles.ts';
import { createMediaSpace, diskFull, HOUR_MS, tooLarge } from '../mediaSweep.ts';
import { createSegmentReader, type ReadFile } from '../readMediaSegment.ts';
import { createMediaCatalogue, type StoredMedium } from './mediaCatalogue.ts';
import { createPieceCache, type PieceCache, unavailable } from './pieceCache.ts';
import type { GatedStore } from './storeGate.ts';
import {
  descriptionName,
  MEDIA_ID,
  nameOf,
  PIECE_BYTES,
  pieceName,
  pieceNames,
  sweepStore,
  USES,
  uploadMedia,
} from './storeObjects.ts';

export type StoredMediaOptions = {
  readonly store: GatedStore;
  /** The cache is in `<dataDir>/media-cache`, drafts are in `<dataDir>/media`. */
  readonly dataDir: string;
  /** Folders with media that are piece of the installation; read only. */
  readonly prebuilt?: readonly string[];
  /** The size of the store above which media that were not used for `unusedMs` are removed. */
  readonly maxBytes: number;
  readonly unusedMs: number;
  /** The size limit of the cache on this node. */
  readonly cacheBytes: number;
  /** Whether this process serves media: it keeps those that it makes, and reads those that will be shown. */
  readonly serves: boolean;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  readonly onRead?: (result: 'hit' | 'miss') => void;
  readonly onSize?: (bytes: number) => void;
};

/** `refresh` is to be called every few seconds, `trim` every few minutes, and `forgetAbsent` when another node has made media. */
type StoredMedia = MediaFiles &
  Pick<ReturnType<typeof createMediaCatalogue>, 'forgetAbsent' | 'refresh'> &
  Pick<PieceCache, 'trim' | 'written'>;

/** Pieces that are read ahead at the same time. */
const WARMING = 2;
/** A medium is read ahead at most this often. */
const WARM_INTERVAL_MS = 600_000;
const EMPTY = new Uint8Array();

export function createStoredMedia(options: StoredMediaOptions): StoredMedia {
  const { store, dataDir, maxBytes, unusedMs, cacheBytes, serves, now, timers, onRead, onSize } = options;
  const drafts = join(dataDir, 'media');
  const folder = join(dataDir, 'media-cache');
  const catalogue = createMediaCatalogue(join(folder, 'meta'), store, timers);
  const cache = { folder: join(folder, 'pieces'), maxBytes: cacheBytes, onRead, onSize };
  const pieces = createPieceCache({ ...cache, blobs: store, timers });
  const fileReader = createPieceReader(pieces);
  const installed = createMediaFiles({ dataDir: join(folder, 'none'), prebuilt: options.prebuilt ?? [] });
  const warmedAt = new Map<string, number>();
  const space = createMediaSpace(timers.elapsed, sweep);

  /** What is not known is looked up, so that the next request finds it. */
  function find(id: string): StoredMedium | undefined {
    const found = catalogue.find(id);
    if (found === undefined && MEDIA_ID.test(id)) void catalogue.load([id]).catch(() => undefined);
    return found;
  }

  function markUsed(id: string): void {
    const medium = find(id);
    if (medium === undefined) return;
    const own = medium.packaged.media.id;
    const at = now();
    if (at - (catalogue.usedAt(own) ?? 0) < HOUR_MS) return;
    catalogue.noteUse(own, at);
    void store.put(USES + own, EMPTY, 'text/plain');
  }

  /** Reads the files of a medium that will be shown, so that its viewers do not wait for the store. */
  async function warm(id: string): Promise<void> {
    const medium = serves ? find(id) : undefined;
    if (medium === undefined) return;
    const at = timers.elapsed();
    if (at - (warmedAt.get(id) ?? Number.NEGATIVE_INFINITY) < WARM_INTERVAL_MS) return;
    if (warmedAt.size > 10_000) warmedAt.clear();
    warmedAt.set(id, at);
    const names = pieceNames(medium.packaged, medium.upload);
    if (names.length * PIECE_BYTES > cacheBytes / 4) return;
    const worker = async () => {
      for (let name = names.shift(); name !== undefined; name = names.shift()) await pieces.warm(name);
    };
    await Promise.all(Array.from({ length: WARMING }, worker));
  }

  async function sweep() {
    await catalogue.refresh();
    const isCreative = (id: string) => catalogue.find(id)?.packaged.kind === 'creative';
    const swept = await sweepStore({ blobs: store, maxBytes, unusedMs, now, isCreative });
    if (swept === undefined)
      return { removed: [], reason: `the object store ${store.away() ?? 'did not accept all requests'}` };
    for (const id of swept.removed) catalogue.forget(id);
    return { removed: swept.removed, reason: tooLarge(swept.bytes, maxBytes, unusedMs) };
  }

  async function add(from: string, packaged: PackagedMedia): Promise<void> {
    const { id } = packaged.media;
    await catalogue.load([id]);
    if (catalogue.find(id) !== undefined) return;
    const kept = serves ? { onPiece: pieces.add } : {};
    const upload = await uploadMedia(from, packaged, { blobs: store, timers, ...kept });
    catalogue.add({ id, upload, at: now() }, packaged);
  }

  async function put(name: string): Promise<void> {
    const result = await store.put(name, EMPTY, 'text/plain');
    if (!result.ok) throw new Error(`the object store of media ${result.reason}`);
  }

  const openSegment = createSegmentReader((id) => {
    const medium = find(id);
    if (medium === undefined) return undefined;
    markUsed(id);
    return { packaged: medium.packaged, read: fileReader(medium) };
  });

  const inFolder: MediaStore['inFolder'] = async (id, files, work) => {
    const medium = find(id);
    if (medium === undefined) return installed.inFolder(id, files, work);
    const copy = join(folder, `.copy-${randomUUID()}`);
    await mkdir(copy, { recursive: true });
    try {
      for (const name of files) await copyFile(join(copy, name), medium.packaged, name, fileReader(medium));
      return await work(copy);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  };

  /** Forgets a medium of the catalogue that is not complete in the store: removed, made again, or damaged. */
  async function check({ packaged, upload }: StoredMedium): Promise<void> {
    const { id } = packaged.media;
    const name = descriptionName(id, upload);
    const described = await store.get(name);
    if (!described.ok) throw unavailable();
    if (described.value !== undefined) {
      options.warn('a medium in the object store has lost some of its objects; it is made again', { id });
      // Without its description, the medium is lost, and is made again.
      if (!(await store.remove(name)).ok) throw unavailable();
    }
    if (catalogue.find(id)?.upload === upload) catalogue.forget(id);
  }

  return {
    find: (id) => catalogue.find(id)?.packaged ?? installed.find(id) ?? find(id)?.packaged,
    load: (ids) => catalogue.load(ids.filter((id) => installed.find(id) === undefined)),
    inFolder,
    open: (id) => openMediaDraft(drafts, id, add),
    async name(name, id) {
      if (name === id) return;
      await put(nameOf(name, id));
      catalogue.addName({ name, id, at: now() });
    },
    async unname(name) {
      const named = await store.list(`${nameOf(name, '')}`);
      for (const { name: object } of named.ok ? named.value : []) await store.remove(object);
      catalogue.forget(name);
    },
    async full() {
      await mkdir(drafts, { recursive: true });
      return (await space.full()) ?? diskFull(drafts);
    },
    async clear() {
      await removeAbandonedDrafts(drafts);
      return space.sweep();
    },
    async usedAt(id) {
      const medium = catalogue.find(id);
      return medium && catalogue.usedAt(medium.packaged.media.id);
    },
    markUsed(id) {
      markUsed(id);
      void warm(id);
    },
    async openSegment(id, frames, rungId, name) {
      const prebuilt = await installed.openSegment(id, frames, rungId, name);
      if (prebuilt !== undefined) return prebuilt;
      if (!(await catalogue.load([id]))) throw unavailable();
      const open = () => openSegment(id, frames, rungId, name);
      return open().catch(async (error: unknown) => {
        if (!(error instanceof MissingPiece)) throw error;
        await check(error.medium);
        if (!(await catalogue.load([id]))) throw unavailable(error);
        return open();
      });
    },
    forgetAbsent: catalogue.forgetAbsent,
    refresh: catalogue.refresh,
    trim: pieces.trim,
    written: pieces.written,
  };
}

async function copyFile(path: string, packaged: PackagedMedia, name: string, read: ReadFile): Promise<void> {
  const track = packaged.tracks.find(({ file }) => file === name);
  const size = track === undefined ? 0 : track.sizes.reduce((sum, each) => sum + each, track.initSize);
  const file = await open(path, 'w');
  try {
    for (let at = 0; at < size; at += PIECE_BYTES)
      await file.appendFile(await read(name, at, Math.min(PIECE_BYTES, size - at)));
  } finally {
    await file.close();
  }
}

// Reads files of a medium from its pieces.

/** The store does not have a piece of a medium that is in the catalogue, or not all of it. */
class MissingPiece extends Error {
  readonly medium: StoredMedium;

  constructor(message: string, medium: StoredMedium) {
    super(message);
    this.medium = medium;
  }
}

const createPieceReader =
  (pieces: Pick<PieceCache, 'read'>) =>
  (medium: StoredMedium): ReadFile => {
    const { id } = medium.packaged.media;
    return async (file, offset, length) => {
      const found: Uint8Array[] = [];
      for (let at = offset; at < offset + length; ) {
        const piece = Math.floor(at / PIECE_BYTES);
        const from = at - piece * PIECE_BYTES;
        const want = Math.min(PIECE_BYTES - from, offset + length - at);
        const bytes = await pieces.read(pieceName(id, medium.upload, file, piece), from, want);
        if (bytes?.length !== want) throw new MissingPiece(`${file} of ${id} has no ${want} bytes at ${at}.`, medium);
        found.push(bytes);
        at += want;
      }
      const [only] = found;
      return only !== undefined && found.length === 1 ? only : Buffer.concat(found);
    };
  };
