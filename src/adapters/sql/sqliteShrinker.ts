// The SQLite file becomes shorter again after a crowd has left. SQLite reuses the pages that deleted rows leave, but gives
// them back to the disk only on request: here, a few at a time, between the writes of others.
import { statfsSync } from 'node:fs';
import type { SqliteFile } from './sqliteFile.ts';

export type SqliteShrinker = {
  /**
   * Makes a file that an older program has created able to shrink, which rebuilds it once. Call it before anybody is
   * served: until it is done nothing is written.
   * @returns `large` or `noSpace` when it was left as it is
   */
  prepare(): Promise<'ready' | 'rebuilt' | 'large' | 'noSpace'>;
  /** Gives back some of what is free beyond a reserve for what comes next. */
  release(): Promise<void>;
};

export type ShrinkLimits = {
  /** Bytes in use beyond which a file is not rebuilt at a start: that takes seconds for each gigabyte. */
  readonly mostRebuilt: number;
  /** Bytes that stay free, and the share of the file that does. */
  readonly reserve: number;
  readonly reservedShare: number;
};

const usual: ShrinkLimits = { mostRebuilt: 2 ** 30, reserve: 8 * 2 ** 20, reservedShare: 0.05 };

/** Pages that are given back in one go, and goes in a call. */
const SLICE = 250;
const SLICES = 80;
/** What a rebuild takes of the disk while it lasts: a copy, and the log of writing it back. */
const COPIES = 2;
const INCREMENTAL = 2;

/** @param path of the file */
export function createSqliteShrinker(file: SqliteFile, path: string, limits: ShrinkLimits = usual): SqliteShrinker {
  const read = (pragma: string): number => file.handle.pragma(pragma, { simple: true }) as number;
  const pageSize = read('page_size');
  const canShrink = (): boolean => {
    // A connection answers from what it read last: so it reads.
    read('page_count');
    return read('auto_vacuum') === INCREMENTAL;
  };

  const freeOnDisk = (): number => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };

  /** Pages that are free and need not be. */
  function spare(): number {
    const pages = read('page_count');
    const reserved = Math.max(limits.reserve / pageSize, pages * limits.reservedShare);
    return Math.floor(read('freelist_count') - reserved);
  }

  return {
    async prepare() {
      if (canShrink()) return 'ready';
      const used = (read('page_count') - read('freelist_count')) * pageSize;
      if (used > limits.mostRebuilt) return 'large';
      if (freeOnDisk() < used * COPIES) return 'noSpace';
      await file.maintain('rebuild');
      await file.maintain('checkpoint');
      return 'rebuilt';
    },
    async release() {
      if (!canShrink() || spare() <= 0) return;
      for (let slice = 0; slice < SLICES && spare() > 0; slice += 1) {
        await file.maintain('release', Math.min(SLICE, spare()));
      }
      await file.maintain('checkpoint');
    },
  };
}
