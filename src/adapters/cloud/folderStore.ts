// SPDX-License-Identifier: Apache-2.0
// A store of blobs in a folder of a disk, for example of a shared file system. A blob is a file, written under another name and
// renamed when it is complete.
import { access, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blob, BlobStore, CloudResult } from '../../cloud/ports.ts';
import { millis } from '../../time/units.ts';
import { DRAFT, writeWhole } from '../writeWhole.ts';

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
  async function files(folder: string, onProgress?: () => void): Promise<Blob[]> {
    const entries = (await readdir(join(root, folder), { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
    const found = entries
      .filter((entry) => !entry.name.startsWith(DRAFT))
      .map(async (entry): Promise<Blob[]> => {
        const name = folder + entry.name;
        if (entry.isDirectory()) return files(`${name}/`, onProgress);
        const info = await stat(join(root, name)).catch(undefinedIfMissing);
        onProgress?.();
        return info === undefined ? [] : [{ name, bytes: info.size, modifiedAt: millis(Math.round(info.mtimeMs)) }];
      });
    return (await Promise.all(found)).flat();
  }

  return {
    create: () => attempt(async () => void (await mkdir(root, { recursive: true }))),
    put: (name, bytes) => attempt(() => writeWhole(join(root, name), bytes)),
    get: (name) => attempt(async () => readFile(join(root, name)).catch(undefinedIfMissing)),
    list: (prefix, onProgress) =>
      attempt(async () => {
        await access(root);
        const found = await files(prefix.slice(0, prefix.lastIndexOf('/') + 1), onProgress);
        return found.filter(({ name }) => name.startsWith(prefix)).sort((a, b) => (a.name < b.name ? -1 : 1));
      }),
    remove: (name) => attempt(() => rm(join(root, name), { force: true })),
  };
}
