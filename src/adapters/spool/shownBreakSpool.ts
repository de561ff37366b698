// SPDX-License-Identifier: Apache-2.0
// Breaks that were shown as slate and wait for the store, as lines of JSON in entries of a file spool, so that they survive the
// process. Concurrent writes are batched.
import { randomUUID } from 'node:crypto';
import type { ShownBreakSpool } from '../../playback/decide/shownBreaks.ts';
import type { ShownBreak } from '../../sessions/ports.ts';
import { batchWrites } from '../batchWrites.ts';
import { type FileSpool, readLines } from './fileSpool.ts';

/** Characters after which a new entry begins. */
const MAX_ENTRY = 1024 * 1024;

function isShownBreak(value: unknown): value is ShownBreak {
  const { sessionId, decision, record } = (value ?? {}) as Partial<ShownBreak>;
  return typeof sessionId === 'string' && typeof decision?.breakId === 'string' && typeof record?.id === 'string';
}

/** @param onLost called with the number of entries that were removed because the spool was full */
export function createShownBreakSpool(files: FileSpool, onLost: (entries: number) => void): ShownBreakSpool {
  let entry: { readonly id: string; size: number } | undefined;
  /** Entries that may still be written to. */
  let open = new Set<string>();
  let writing: Promise<unknown> = Promise.resolve();

  async function append(breaks: readonly ShownBreak[]): Promise<undefined[]> {
    entry ??= { id: randomUUID(), size: 0 };
    open.add(entry.id);
    const text = breaks.map((one) => `${JSON.stringify(one)}\n`).join('');
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
    return breaks.map(() => undefined);
  }

  return {
    keep: batchWrites((breaks) => {
      const work = append(breaks);
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
    read: async (id) => readLines(await files.read(id), isShownBreak).values,
    remove: files.remove,
  };
}
