// SPDX-License-Identifier: Apache-2.0
// The pieces of media that this node has read from the object store, as files on its disk. A piece is read from the store once,
// however many requests wait for it. Above a size, the pieces that were not used for the longest time are deleted.
import { mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../../blobs/ports.ts';
import { AppError } from '../../../errors.ts';
import { type Timers, within } from '../../../time/clock.ts';
import { shareRunning } from '../../../time/shareRunning.ts';
import { DRAFT, writeWhole } from '../../writeWhole.ts';
import { freeBytes, MIN_FREE_BYTES } from '../mediaSweep.ts';

type PieceCacheDeps = {
  readonly folder: string;
  readonly maxBytes: number;
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly timers: Timers;
  readonly onRead?: ((result: 'hit' | 'miss') => void) | undefined;
  readonly onSize?: ((bytes: number) => void) | undefined;
};

export type PieceCache = ReturnType<typeof createPieceCache>;

/** The longest wait of a request. The piece is still read, so that a later request finds it. */
const WAIT_MS = 4000;
/** Pieces that may wait in memory for a disk that is slower than the store. */
const MAX_UNWRITTEN = 16;
/** The use of a piece is recorded at most this often. */
const USE_INTERVAL_MS = 60_000;
/** What remains after deleting, so that not every piece that is added deletes another. */
const TRIMMED = 0.9;
/** A draft of a process that ended. */
const DRAFT_AGE_MS = 600_000;

/** For the player: the same request may succeed in a moment. */
export const unavailable = (cause?: unknown) =>
  new AppError('UNAVAILABLE', 'The media of this ad cannot be read at the moment. Retry soon.', {
    part: 'media',
    retryAfter: 2,
    cause,
  });

export function createPieceCache({ folder, maxBytes, blobs, timers, onRead, onSize }: PieceCacheDeps) {
  const reading = new Map<string, { readonly since: number; readonly bytes: Promise<Uint8Array | undefined> }>();
  const usedAt = new Map<string, number>();
  let size: number | undefined;
  /** Pieces are written one after the other, so that the size is never exceeded. */
  let writing: Promise<void> = Promise.resolve();
  /** The pieces that are not written yet, by name: they are read from memory. */
  const unwritten = new Map<string, Uint8Array>();
  const pathOf = (name: string): string => join(folder, name.replaceAll('/', '_'));

  function use(path: string): void {
    const at = timers.elapsed();
    if (at - (usedAt.get(path) ?? Number.NEGATIVE_INFINITY) < USE_INTERVAL_MS) return;
    if (usedAt.size > 20_000) usedAt.clear();
    usedAt.set(path, at);
    const now = Date.now() / 1000;
    utimes(path, now, now).catch(() => undefined);
  }

  /** A file that cannot be read, or is too short after a power failure, is a miss: the store has the piece, too. */
  async function readLocal(path: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    const file = await open(path).catch(() => undefined);
    if (file === undefined) return undefined;
    const bytes = Buffer.allocUnsafeSlow(length);
    const read = await file.read(bytes, 0, length, offset).catch(() => undefined);
    await file.close().catch(() => undefined);
    if (read?.bytesRead === length) {
      use(path);
      return bytes;
    }
    await rm(path, { force: true }).catch(() => undefined);
    return undefined;
  }

  /**
   * Adds a piece that this node has made. Resolves when it is on the disk, or does not fit. A full or slow disk does not stop a
   * stream: the bytes are served from memory, and read again for a later request.
   */
  function add(name: string, bytes: Uint8Array): Promise<void> {
    if (unwritten.has(name) || unwritten.size >= MAX_UNWRITTEN) return writing;
    unwritten.set(name, bytes);
    writing = writing.then(() => write(name, bytes)).then(() => void unwritten.delete(name));
    return writing;
  }

  /** Never rejects. */
  async function write(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await mkdir(folder, { recursive: true });
      if (size === undefined || (await freeBytes(folder)) < MIN_FREE_BYTES) await trim(0);
      if ((size ?? 0) + bytes.length > maxBytes) await trim(bytes.length);
      if ((await freeBytes(folder)) < MIN_FREE_BYTES) return;
      await writeWhole(pathOf(name), bytes);
    } catch {
      return;
    }
    size = (size ?? 0) + bytes.length;
    onSize?.(size);
  }

  async function fetchPiece(name: string): Promise<Uint8Array | undefined> {
    const result = await blobs.get(name);
    if (!result.ok) throw unavailable(new Error(`the object store ${result.reason}`));
    if (result.value !== undefined) void add(name, result.value);
    return result.value;
  }

  function fetchOnce(name: string): Promise<Uint8Array | undefined> {
    const known = reading.get(name);
    // The connection of a request that takes long may be lost.
    if (known !== undefined && timers.elapsed() - known.since < WAIT_MS) return known.bytes;
    const own = {
      since: timers.elapsed(),
      bytes: fetchPiece(name).finally(() => {
        if (reading.get(name) === own) reading.delete(name);
      }),
    };
    own.bytes.catch(() => undefined); // the request that waited for it may be over
    reading.set(name, own);
    return own.bytes;
  }

  async function measure() {
    const names = await readdir(folder).catch(() => []);
    const found = names.map(async (name) => {
      const path = join(folder, name);
      const info = await stat(path).catch(() => undefined);
      return info === undefined ? [] : [{ path, name, bytes: info.size, at: info.mtimeMs }];
    });
    return (await Promise.all(found)).flat().sort((a, b) => a.at - b.at);
  }

  /** @param needed bytes that are about to be added */
  const trim = shareRunning(async (needed: number) => {
    const files = await measure();
    let bytes = files.reduce((sum, each) => sum + each.bytes, 0);
    const most = Math.min(maxBytes, bytes + (await freeBytes(folder)) - MIN_FREE_BYTES);
    const limit = bytes + needed > most ? most * TRIMMED - needed : most;
    for (const file of files) {
      const isLeft = file.name.startsWith(DRAFT) && Date.now() - file.at > DRAFT_AGE_MS;
      if (bytes <= limit && !isLeft) continue;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
    size = bytes;
    onSize?.(bytes);
  });

  return {
    add,
    /** Deletes pieces above the size, also those of other processes with the same folder. */
    trim: () => trim(0),
    /**
     * @returns the bytes from `offset` on; undefined, or fewer, only if the store does not have them
     * @throws {AppError} UNAVAILABLE if the piece can be read neither here nor in the store within some seconds
     */
    async read(name: string, offset: number, length: number): Promise<Uint8Array | undefined> {
      // A copy, so that a segment that is kept in memory does not keep its piece there.
      const part = (bytes?: Uint8Array) => bytes && new Uint8Array(bytes.subarray(offset, offset + length));
      const inMemory = () => part(unwritten.get(name));
      const local = inMemory() ?? (await readLocal(pathOf(name), offset, length)) ?? inMemory();
      onRead?.(local === undefined ? 'miss' : 'hit');
      if (local !== undefined) return local;
      const fetched = await within(
        timers,
        WAIT_MS,
        fetchOnce(name).then((bytes) => ({ bytes })),
      );
      if (fetched === undefined) throw unavailable();
      return part(fetched.bytes);
    },
    /** Reads a piece from the store and writes it to the disk, unless it is here. Never rejects. */
    async warm(name: string): Promise<void> {
      const file = await stat(pathOf(name)).catch(() => undefined);
      if (!file?.size) await fetchOnce(name).catch(() => undefined);
      await writing;
    },
    /** Resolves when the pieces that have been read are on the disk. */
    written: (): Promise<void> => writing,
  };
}
