// SPDX-License-Identifier: Apache-2.0
// A store of blobs in a folder of a disk, for example of a shared file system. A blob is a file, written under another name and
// renamed when it is complete. A shared file system may hang, and a call then blocks a thread, so few calls run at once.
import { access, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blob, BlobStore, CloudResult } from '../../blobs/ports.ts';
import { millis } from '../../time/units.ts';
import { createConcurrencyLimiter } from '../http/concurrencyLimiter.ts';
import { inChunks } from '../inChunks.ts';
import { DRAFT, writeWhole } from '../writeWhole.ts';

/** Node.js has four threads for files by default. The others remain for the local disk. */
const THREADS = 2;
/** Files of a folder that a list reads at once, so that it does not delay other requests for long. */
const LISTED_AT_ONCE = 4;

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
  const limiter = createConcurrencyLimiter({ concurrency: THREADS, queue: Number.POSITIVE_INFINITY });

  async function limited<Value>(work: () => Promise<Value>): Promise<Value> {
    const release = await limiter.acquire(root);
    if (typeof release === 'string') throw new Error(`The queue is ${release}.`);
    return work().finally(release);
  }

  /** @param folder below the root, with a trailing slash unless it is empty */
  async function files(folder: string, onProgress?: () => void): Promise<Blob[]> {
    const read = () => readdir(join(root, folder), { withFileTypes: true }).catch(undefinedIfMissing);
    const entries = ((await limited(read)) ?? []).filter((entry) => !entry.name.startsWith(DRAFT));
    const found: Blob[] = [];
    for (const chunk of inChunks(entries, LISTED_AT_ONCE)) {
      const listed = chunk.map(async (entry): Promise<Blob[]> => {
        const name = folder + entry.name;
        if (entry.isDirectory()) return files(`${name}/`, onProgress);
        const info = await limited(() => stat(join(root, name)).catch(undefinedIfMissing));
        onProgress?.();
        return info === undefined ? [] : [{ name, bytes: info.size, modifiedAt: millis(Math.round(info.mtimeMs)) }];
      });
      found.push(...(await Promise.all(listed)).flat());
    }
    return found;
  }

  return {
    create: () => attempt(() => limited(async () => void (await mkdir(root, { recursive: true })))),
    put: (name, bytes) => attempt(() => limited(() => writeWhole(join(root, name), bytes))),
    get: (name) => attempt(() => limited(() => readFile(join(root, name)).catch(undefinedIfMissing))),
    list: (prefix, onProgress) =>
      attempt(async () => {
        await limited(() => access(root));
        const found = await files(prefix.slice(0, prefix.lastIndexOf('/') + 1), onProgress);
        return found.filter(({ name }) => name.startsWith(prefix)).sort((a, b) => (a.name < b.name ? -1 : 1));
      }),
    remove: (name) => attempt(() => limited(() => rm(join(root, name), { force: true }))),
  };
}
