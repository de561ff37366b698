// SPDX-License-Identifier: Apache-2.0
// A cache of test media, keyed by everything that determines their content. It may be deleted at any time.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/midroll-media');

/** Contents by path inside the folder. */
type Files = ReadonlyMap<string, Uint8Array>;

let version: Promise<string> | undefined;
const ffmpegVersion = (): Promise<string> => {
  version ??= promisify(execFile)('ffmpeg', ['-version']).then(({ stdout }) => stdout.split('\n')[0]!);
  return version;
};

const unlessAbsent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
};

async function readFolder(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)));
}

/** Writes one file atomically: other processes may write or delete it at the same time. */
async function store(path: string, files: Files): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await mkdir(CACHE, { recursive: true });
  await writeFile(draft, serialize(files));
  await rename(draft, path);
}

async function makeAndStore(path: string, make: (folder: string) => Promise<unknown>): Promise<Files> {
  const draft = await mkdtemp(join(tmpdir(), 'midroll-making-'));
  try {
    await make(draft);
    const files = await readFolder(draft);
    // If the cache is deleted in the meantime, the media are used anyway.
    await store(path, files).catch(unlessAbsent);
    return files;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Copies media to `folder`: from the cache if they are there, otherwise those that `make` writes to the folder it receives.
 * @param recipe everything that determines the content, as JSON; the version of ffmpeg is added
 */
export async function makeOnce(
  folder: string,
  recipe: unknown,
  make: (folder: string) => Promise<unknown>,
): Promise<void> {
  const key = JSON.stringify([await ffmpegVersion(), recipe]);
  const path = join(CACHE, createHash('sha256').update(key).digest('hex'));
  const cached = await readFile(path).catch(unlessAbsent);
  const files = cached === undefined ? await makeAndStore(path, make) : (deserialize(cached) as Files);
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}
