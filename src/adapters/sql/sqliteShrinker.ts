// SPDX-License-Identifier: Apache-2.0
// Returns unused space of the SQLite file to the disk, e.g. after a peak of viewers. SQLite reuses the pages of deleted
// rows, but shrinks the file only on request; this does it a few pages at a time, between other writes.
import { statfsSync } from 'node:fs';
import type { SqliteFile } from './sqliteFile.ts';

export type SqliteShrinker = {
  /**
   * Rebuilds a file of an older version once, so that it can shrink. Call it before the server accepts requests: no
   * write completes before it is done.
   * @returns `large` or `noSpace` if the file was not rebuilt for that reason
   */
  prepare(): Promise<'ready' | 'rebuilt' | 'large' | 'noSpace'>;
  /** Returns some of the free space to the disk, except a reserve for new rows. */
  release(): Promise<void>;
};

export type ShrinkLimits = {
  /** Bytes. A file with more data is not rebuilt at a start: a rebuild takes seconds per gigabyte. */
  readonly maxRebuiltBytes: number;
  /** The larger of these stays free: bytes, and a share of the file. */
  readonly reservedBytes: number;
  readonly reservedShare: number;
};

const defaultLimits: ShrinkLimits = { maxRebuiltBytes: 2 ** 30, reservedBytes: 8 * 2 ** 20, reservedShare: 0.05 };

/** Pages per slice, and slices per call. */
const SLICE_PAGES = 250;
const MAX_SLICES = 80;
/** A rebuild temporarily needs disk space for a copy of the data and for the log of writing it back. */
const REBUILD_COPIES = 2;
/** The value of `PRAGMA auto_vacuum` for incremental vacuum (sqlite.org/pragma.html#pragma_auto_vacuum). */
const INCREMENTAL = 2;

/** @param path the path of `file` */
export function createSqliteShrinker(
  file: SqliteFile,
  path: string,
  limits: ShrinkLimits = defaultLimits,
): SqliteShrinker {
  const read = (pragma: string): number => file.handle.pragma(pragma, { simple: true }) as number;
  const pageSize = read('page_size');
  const canShrink = (): boolean => {
    // `auto_vacuum` reports what the connection read last, so read the file first.
    read('page_count');
    return read('auto_vacuum') === INCREMENTAL;
  };

  const freeOnDisk = (): number => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };

  /** Free pages beyond the reserve. */
  function surplusPages(): number {
    const pages = read('page_count');
    const reserved = Math.max(limits.reservedBytes / pageSize, pages * limits.reservedShare);
    return Math.floor(read('freelist_count') - reserved);
  }

  return {
    async prepare() {
      if (canShrink()) return 'ready';
      const used = (read('page_count') - read('freelist_count')) * pageSize;
      if (used > limits.maxRebuiltBytes) return 'large';
      if (freeOnDisk() < used * REBUILD_COPIES) return 'noSpace';
      await file.maintain('rebuild');
      await file.maintain('checkpoint');
      return 'rebuilt';
    },
    async release() {
      if (!canShrink() || surplusPages() <= 0) return;
      for (let slice = 0; slice < MAX_SLICES && surplusPages() > 0; slice += 1) {
        await file.maintain('release', Math.min(SLICE_PAGES, surplusPages()));
      }
      await file.maintain('checkpoint');
    },
  };
}
