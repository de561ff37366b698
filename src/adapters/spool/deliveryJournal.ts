// SPDX-License-Identifier: Apache-2.0
// The journal of deliveries: a viewer's request waits until its line is here, on disk. Lines that arrive together are written
// together, with one call. The journal consists of entries, each a file in the spool of deliveries (deliveryEntries.ts). Only
// complete entries are recorded and removed.
import { close as closeFile, constants, type NoParamCallback, open as openFile, write as writeFile } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DeliveryJournal } from '../../tracking/deliveries/ports.ts';
import { batchWrites } from '../batchWrites.ts';
import { syncPath } from '../writeWhole.ts';
import type { EntriesOptions } from './deliveryEntries.ts';
import { ENTRY_SUFFIX } from './fileSpool.ts';

type JournalOptions = Pick<EntriesOptions, 'folder' | 'owner' | 'leftAfter'> & {
  /** Milliseconds between two writes of several lines. */
  readonly intervalMs?: number;
  /** Called before each write. Rejects if the bytes must not be written. */
  readonly makeRoom: (bytes: number) => Promise<void>;
};

type Entry = { readonly file: number; readonly openedAt: number };

/** A write costs the serving thread as much as tens of lines, and players fetch segments well ahead of showing them. */
const WRITE_INTERVAL_MS = 10;
/** A write with O_DSYNC returns when the bytes, and the new length of the file, are on disk. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_DSYNC ?? constants.O_SYNC);

const openForAppending = promisify(openFile) as (path: string, flags: number, mode: number) => Promise<number>;
const closeNow = promisify(closeFile as (file: number, done: NoParamCallback) => void);

/** Rejects if only a part was written, as on a full disk. */
const append = (file: number, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    writeFile(file, bytes, (error, written) => {
      if (error !== null) reject(error);
      else if (written < bytes.length) reject(new Error(`only ${written} of ${bytes.length} bytes were written`));
      else resolve();
    });
  });

export function createDeliveryJournal(options: JournalOptions): DeliveryJournal {
  const { folder, owner, leftAfter, intervalMs = WRITE_INTERVAL_MS, makeRoom } = options;
  let entry: Entry | undefined;
  let last = 0;
  /** Writing and ending an entry never overlap. */
  let tail: Promise<unknown> = Promise.resolve();

  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = tail.then(work);
    tail = done.catch(() => {});
    return done;
  }

  async function begin(): Promise<Entry> {
    await mkdir(folder, { recursive: true });
    const number = last + 1;
    const path = join(folder, `${owner}.${number}${ENTRY_SUFFIX}`);
    const openedAt = performance.now();
    const file = await openForAppending(path, FLAGS, 0o600);
    last = number;
    entry = { file, openedAt };
    // A new file survives a power failure only if its folder is on disk.
    await syncPath(folder);
    return entry;
  }

  async function end(): Promise<void> {
    const ended = entry;
    entry = undefined;
    if (ended !== undefined) await closeNow(ended.file);
  }

  /** Another process could have taken an older entry by now, and nothing must be appended to it. */
  const isCurrent = ({ openedAt }: Entry) => performance.now() - openedAt < leftAfter / 2;

  async function write(bytes: Uint8Array): Promise<void> {
    for (;;) {
      try {
        if (entry !== undefined && !isCurrent(entry)) await end();
        const current = entry ?? (await begin());
        await append(current.file, bytes);
        if (isCurrent(current)) return;
      } catch (error) {
        // The entry may end with half a line.
        await end();
        throw error;
      }
      // Only a process that was suspended writes a line twice.
      await end();
    }
  }

  async function writeAll(lines: readonly string[]): Promise<undefined[]> {
    const bytes = Buffer.from(lines.join(''));
    // Not in order: there is room when complete entries have been recorded, so entries can be ended meanwhile.
    await makeRoom(bytes.length);
    await inOrder(() => write(bytes));
    return lines.map(() => undefined);
  }

  return {
    keep: batchWrites(writeAll, intervalMs),
    close: () =>
      inOrder(async () => {
        await end();
        return last;
      }),
  };
}
