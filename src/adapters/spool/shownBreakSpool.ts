// SPDX-License-Identifier: Apache-2.0
// Breaks that were shown as slate and wait for the store (lineSpool.ts).

import { randomUUID } from 'node:crypto';
import type { ShownBreakSpool } from '../../playback/decide/shownBreaks.ts';
import type { ShownBreak } from '../../sessions/ports.ts';
import { batchWrites } from '../batchWrites.ts';
import type { FileSpool } from './fileSpool.ts';

function isShownBreak(value: unknown): value is ShownBreak {
  const { sessionId, decision, record } = (value ?? {}) as Partial<ShownBreak>;
  return typeof sessionId === 'string' && typeof decision?.breakId === 'string' && typeof record?.id === 'string';
}

/** @param onLost called with the number of entries that were removed because the spool was full */
export function createShownBreakSpool(files: FileSpool, onLost: (entries: number) => void): ShownBreakSpool {
  const spool = createLineSpool(files, isShownBreak, onLost);
  return { ...spool, read: async (entry) => (await spool.read(entry)).values };
}

// Values that wait for the store, as lines of JSON in entries of a file spool, so that they survive the process.
// Concurrent writes are batched. Which values are valid is left to the caller; limits and files to fileSpool.ts.

type LineSpool<Value> = {
  /** On disk when it resolves. */
  keep(value: Value): Promise<void>;
  /** Ends the current entries. @returns those of this process and those that other processes left, oldest first */
  close(): Promise<readonly string[]>;
  /** `unreadable`: lines that are not valid, without a torn last line. */
  read(entry: string): Promise<{ readonly values: readonly Value[]; readonly unreadable: readonly string[] }>;
  remove(entry: string): Promise<void>;
  /** Keeps these lines of the entry, or all of it, under a name that is not listed, and removes the entry. */
  quarantine(entry: string, lines: readonly string[] | undefined): Promise<void>;
};

/** Characters after which a new entry begins. */
const MAX_ENTRY = 1024 * 1024;

/** @param onLost called with the number of entries that were removed because the spool was full */
function createLineSpool<Value>(
  files: FileSpool,
  isValid: (value: unknown) => value is Value,
  onLost: (entries: number) => void,
): LineSpool<Value> {
  let entry: { readonly id: string; size: number } | undefined;
  /** Entries that may still be written to. */
  let open = new Set<string>();
  let writing: Promise<unknown> = Promise.resolve();

  async function append(values: readonly Value[]): Promise<undefined[]> {
    entry ??= { id: randomUUID(), size: 0 };
    open.add(entry.id);
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    entry.size += text.length;
    const { id, size } = entry;
    if (size >= MAX_ENTRY) entry = undefined;
    try {
      const lost = await files.append(id, text);
      if (lost > 0) onLost(lost);
    } catch (error) {
      // The entry may end with half a line, so nothing must be appended to it.
      entry = undefined;
      throw error;
    }
    return values.map(() => undefined);
  }

  function readLine(line: string): Value | undefined {
    try {
      const value: unknown = JSON.parse(line);
      return isValid(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    keep: batchWrites((values) => {
      const work = append(values);
      writing = work.catch(() => {});
      return work;
    }),
    async close() {
      entry = undefined;
      open = new Set();
      await writing;
      const all = await files.list();
      return all.map(({ id }) => id).filter((id) => !open.has(id));
    },
    async read(id) {
      // The last line may be torn if the process was killed while writing it; `keep` had not resolved for it.
      const lines = ((await files.read(id)) ?? '').split('\n').slice(0, -1);
      const read = lines.map((line) => ({ line, value: readLine(line) }));
      return {
        values: read.flatMap(({ value }) => value ?? []),
        unreadable: read.flatMap(({ line, value }) => (value === undefined ? [line] : [])),
      };
    },
    remove: files.remove,
    quarantine: (id, lines) => files.quarantine(id, lines?.map((line) => `${line}\n`).join('')),
  };
}
