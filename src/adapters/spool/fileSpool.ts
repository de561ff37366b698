// SPDX-License-Identifier: Apache-2.0
// A spool of entries, each a file in a folder that several processes may share. An entry that was `put` is complete or
// absent; of one that was appended to, the last line may be torn. The content of entries is left to the caller.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type SpoolLimits = {
  readonly maxBytes: number;
  /** Milliseconds without a write after which an entry of another process counts as abandoned. */
  readonly leftAfter?: number;
  /** Entries that this process wrote without `put` and `append`. */
  readonly isOurs?: (id: string) => boolean;
};

export type FileSpool = ReturnType<typeof createFileSpool>;

export const ENTRY_SUFFIX = '.json';
const ASIDE_SUFFIX = '.aside';
type StoredFile = { readonly name: string; readonly id: string; readonly bytes: number; readonly writtenAt: number };

const ifMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

export function createFileSpool(folder: string, { maxBytes, leftAfter = 60_000, isOurs }: SpoolLimits) {
  const ours = new Set<string>();
  const pathOf = (id: string) => join(folder, `${id}${ENTRY_SUFFIX}`);
  const asidePathOf = (id: string) => join(folder, `${id}${ASIDE_SUFFIX}`);
  const isAbandoned = (writtenAt: number) => Date.now() - writtenAt > leftAfter;

  /** Oldest first. */
  async function storedFiles(): Promise<StoredFile[]> {
    const names = (await readdir(folder).catch(ifMissing)) ?? [];
    const stored: StoredFile[] = [];
    for (const name of names) {
      const stats = await stat(join(folder, name)).catch(() => undefined);
      if (stats === undefined) continue;
      const { size: bytes, mtimeMs: writtenAt } = stats;
      const suffix = [ENTRY_SUFFIX, ASIDE_SUFFIX].find((one) => name.endsWith(one));
      if (suffix !== undefined) stored.push({ name, id: name.slice(0, -suffix.length), bytes, writtenAt });
      // An incomplete entry of a process that was killed.
      else if (isAbandoned(writtenAt)) await rm(join(folder, name), { force: true });
    }
    return stored.sort((a, b) => a.writtenAt - b.writtenAt || (a.id < b.id ? -1 : 1));
  }

  const remove = async (id: string) => {
    ours.delete(id);
    await rm(pathOf(id), { force: true });
  };

  /** Removes the oldest files if so many bytes more would not fit. @returns how many */
  async function freeSpaceFor(bytes: number): Promise<number> {
    const files = await storedFiles();
    let total = files.reduce((sum, file) => sum + file.bytes, bytes);
    let removed = 0;
    for (const { name, id, bytes: freed } of files) {
      if (total <= maxBytes) break;
      ours.delete(id);
      await rm(join(folder, name), { force: true });
      total -= freed;
      removed += 1;
    }
    return removed;
  }

  return {
    makeRoom: freeSpaceFor,
    size: async () => (await storedFiles()).reduce((sum, { bytes }) => sum + bytes, 0),
    /** Keeps other processes from taking the entry. */
    async hold(id: string): Promise<void> {
      const now = new Date();
      // Another process may have recorded and removed it.
      await utimes(pathOf(id), now, now).catch(() => {});
    },
    async put(id: string, text: string): Promise<number> {
      await mkdir(folder, { recursive: true });
      const lost = await freeSpaceFor(Buffer.byteLength(text));
      const draft = `${pathOf(id)}.${randomUUID()}`;
      await writeFile(draft, text);
      await rename(draft, pathOf(id));
      ours.add(id);
      return lost;
    },
    /**
     * Appends to an entry of this process, or begins one; on disk when it resolves.
     * @returns how many old entries were removed for it
     */
    async append(id: string, text: string): Promise<number> {
      await mkdir(folder, { recursive: true });
      const lost = await freeSpaceFor(Buffer.byteLength(text));
      ours.add(id);
      await appendFile(pathOf(id), text, { flush: true });
      return lost;
    },
    async list() {
      const entries = (await storedFiles()).filter(({ name }) => name.endsWith(ENTRY_SUFFIX));
      return entries.filter(({ id, writtenAt }) => ours.has(id) || isOurs?.(id) || isAbandoned(writtenAt));
    },
    read: (id: string): Promise<string | undefined> => readFile(pathOf(id), 'utf8').catch(ifMissing),
    remove,
    /** Keeps these lines of the entry, or all of it, under a name that is not listed. They count towards `maxBytes` like an entry. */
    async quarantine(id: string, lines: readonly string[] | undefined): Promise<void> {
      if (lines === undefined) await rename(pathOf(id), asidePathOf(id));
      else await writeFile(asidePathOf(id), lines.map((line) => `${line}\n`).join(''), { flush: true });
      await remove(id);
    },
  };
}

/**
 * Reads the lines of JSON of an entry. The last line may be torn if the process was killed while writing it; its write was never
 * confirmed.
 * @returns `unreadable`: complete lines that are not valid
 */
export function readLines<Value>(text: string | undefined, isValid: (value: unknown) => value is Value) {
  const values: Value[] = [];
  const unreadable: string[] = [];
  for (const line of (text ?? '').split('\n').slice(0, -1)) {
    const value = parsed(line);
    if (isValid(value)) values.push(value);
    else unreadable.push(line);
  }
  return { values, unreadable };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
