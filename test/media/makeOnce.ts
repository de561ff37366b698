// Media that tests need are made once and kept, by all that decides what comes out. What is kept may be deleted at any time.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';

const KEPT = join(import.meta.dirname, '../../node_modules/.cache/midroll-media');

/** By path inside the folder. */
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

/** One file, renamed into place: it is there whole or not at all, though others make or delete it at the same time. */
async function keep(path: string, files: Files): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await mkdir(KEPT, { recursive: true });
  await writeFile(draft, serialize(files));
  await rename(draft, path);
}

async function makeAndKeep(path: string, make: (folder: string) => Promise<unknown>): Promise<Files> {
  const draft = await mkdtemp(join(tmpdir(), 'midroll-making-'));
  try {
    await make(draft);
    const files = await readFolder(draft);
    // Deleted while it was written: what was made is used all the same.
    await keep(path, files).catch(unlessAbsent);
    return files;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Puts media into `folder`, as copies of its own: what is kept of this recipe, or else what `make` writes into the folder
 * that it is given.
 * @param recipe as JSON, all that decides what comes out; the version of ffmpeg is added
 */
export async function makeOnce(
  folder: string,
  recipe: unknown,
  make: (folder: string) => Promise<unknown>,
): Promise<void> {
  const key = JSON.stringify([await ffmpegVersion(), recipe]);
  const path = join(KEPT, createHash('sha256').update(key).digest('hex'));
  const kept = await readFile(path).catch(unlessAbsent);
  const files = kept === undefined ? await makeAndKeep(path, make) : (deserialize(kept) as Files);
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}
