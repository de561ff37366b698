// SPDX-License-Identifier: Apache-2.0
// A store of blobs in a folder of a disk, for example of a shared file system. A blob is a file, written under another name and
// renamed when it is complete.
import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blob, BlobStore, CloudResult } from '../../cloud/ports.ts';
import { millis } from '../../time/units.ts';

/** The prefix of files that are not complete. No blob has such a name. */
const DRAFT = '.draft-';

async function attempt<Value>(work: () => Promise<Value>): Promise<CloudResult<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const { code = 'an error' } = error as { code?: string };
    return { ok: false, reason: `cannot be read or written (${code})`, ...(code === 'ENOENT' ? { status: 404 } : {}) };
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

export function openFolderStore(root: string): BlobStore {
  /** @param folder below the root, with a trailing slash unless it is empty */
  async function files(folder: string): Promise<Blob[]> {
    const entries = (await readdir(join(root, folder), { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
    const found = entries
      .filter((entry) => !entry.name.startsWith(DRAFT))
      .map(async (entry): Promise<Blob[]> => {
        const name = folder + entry.name;
        if (entry.isDirectory()) return files(`${name}/`);
        const info = await stat(join(root, name)).catch(undefinedIfMissing);
        return info === undefined ? [] : [{ name, bytes: info.size, modifiedAt: millis(Math.round(info.mtimeMs)) }];
      });
    return (await Promise.all(found)).flat();
  }

  return {
    create: () => attempt(async () => void (await mkdir(root, { recursive: true }))),
    put: (name, bytes) =>
      attempt(async () => {
        const path = join(root, name);
        const draft = join(dirname(path), DRAFT + randomUUID());
        await mkdir(dirname(path), { recursive: true });
        const file = await open(draft, 'wx');
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
      }),
    get: (name) => attempt(async () => readFile(join(root, name)).catch(undefinedIfMissing)),
    list: (prefix) =>
      attempt(async () => {
        await access(root);
        const found = await files(prefix.slice(0, prefix.lastIndexOf('/') + 1));
        return found.filter(({ name }) => name.startsWith(prefix)).sort((a, b) => (a.name < b.name ? -1 : 1));
      }),
    remove: (name) => attempt(() => rm(join(root, name), { force: true })),
  };
}
