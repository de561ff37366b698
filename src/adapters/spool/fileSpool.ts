// A spool of files in a folder, which several processes may share. A file that is put is there whole or not at all; of one
// that is appended to, the last piece may be torn.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Spool } from '../../reports/ports.ts';

export type SpoolLimits = {
  readonly maxBytes: number;
  /** Milliseconds after which another process's parcel is taken to be left behind. */
  readonly leftAfter?: number;
};

export type FileSpool = Spool & {
  /** Adds to a parcel of this process, or begins it; on disk when it resolves. @returns how many of the oldest had to go for it */
  append(id: string, text: string): Promise<number>;
  /** Keeps the text, or the whole parcel, under a name that is not listed. It is removed like a parcel where room is needed. */
  setAside(id: string, text: string | undefined): Promise<void>;
};

const ENDING = '.json';
const ASIDE = '.aside';
type Found = { readonly name: string; readonly id: string; readonly bytes: number; readonly writtenAt: number };

export function createFileSpool(folder: string, { maxBytes, leftAfter = 60_000 }: SpoolLimits): FileSpool {
  const ours = new Set<string>();
  const pathOf = (id: string) => join(folder, `${id}${ENDING}`);
  const asideOf = (id: string) => join(folder, `${id}${ASIDE}`);

  async function all(): Promise<Found[]> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const found: Found[] = [];
    for (const name of names) {
      const facts = await stat(join(folder, name)).catch(() => undefined);
      if (facts === undefined) continue;
      const { size: bytes, mtimeMs: writtenAt } = facts;
      const ending = [ENDING, ASIDE].find((one) => name.endsWith(one));
      if (ending !== undefined) found.push({ name, id: name.slice(0, -ending.length), bytes, writtenAt });
      // Half a parcel of a process that was killed.
      else if (Date.now() - writtenAt > leftAfter) await rm(join(folder, name), { force: true });
    }
    return found.sort((a, b) => a.writtenAt - b.writtenAt || (a.id < b.id ? -1 : 1));
  }

  const remove = async (id: string) => {
    ours.delete(id);
    await rm(pathOf(id), { force: true });
  };

  async function makeRoom(bytes: number): Promise<number> {
    const parcels = await all();
    let total = parcels.reduce((sum, parcel) => sum + parcel.bytes, bytes);
    let gone = 0;
    for (const { name, id, bytes: freed } of parcels) {
      if (total <= maxBytes) break;
      ours.delete(id);
      await rm(join(folder, name), { force: true });
      total -= freed;
      gone += 1;
    }
    return gone;
  }

  return {
    async put(id, text) {
      await mkdir(folder, { recursive: true });
      const lost = await makeRoom(Buffer.byteLength(text));
      const written = `${pathOf(id)}.${randomUUID()}`;
      await writeFile(written, text);
      await rename(written, pathOf(id));
      ours.add(id);
      return lost;
    },
    async append(id, text) {
      await mkdir(folder, { recursive: true });
      const lost = await makeRoom(Buffer.byteLength(text));
      ours.add(id);
      await appendFile(pathOf(id), text, { flush: true });
      return lost;
    },
    async list() {
      const parcels = (await all()).filter(({ name }) => name.endsWith(ENDING));
      const isLeft = ({ writtenAt }: Found) => Date.now() - writtenAt > leftAfter;
      return parcels.filter((parcel) => ours.has(parcel.id) || isLeft(parcel));
    },
    read: (id) =>
      readFile(pathOf(id), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      }),
    remove,
    async setAside(id, text) {
      if (text === undefined) await rename(pathOf(id), asideOf(id));
      else await writeFile(asideOf(id), text, { flush: true });
      await remove(id);
    },
  };
}
