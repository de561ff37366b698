// Media that nobody plays any more make room for new ones. When a medium was last used stands in the time of its
// `meta.json`, which every process refreshes as it serves from it.
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackagedMedia } from '../ingest/packagedMedia.ts';

/** The beginning of names of folders that are going; `.` keeps every request away from them. */
export const GOING = '.going-';
/** Players, manifests and processes that know of a medium have all forgotten it after so long without use. */
const UNUSED_MS = 24 * 3_600_000;
const TOUCH_MS = 3_600_000;
const MEDIUM = /^[0-9a-f]+$/;

type Shelved = { readonly folder: string; readonly name: string; readonly bytes: number; readonly usedAt: number };

/** Takes the longest unused creatives away until the others fit into `mostBytes`; what was used within a day stays. */
export async function sweepMedia(shelf: string, mostBytes: number): Promise<readonly string[]> {
  const names = (await readdir(shelf).catch(() => [])).filter((name) => MEDIUM.test(name));
  const media = (await Promise.all(names.map((name) => weigh(shelf, name)))).filter((each) => each !== undefined);
  let total = media.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: string[] = [];
  for (const { folder, name, bytes, usedAt } of media.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= mostBytes || Date.now() - usedAt < UNUSED_MS) break;
    if (await isSlate(folder)) continue; // an idle channel must come back with it at once
    const going = join(shelf, GOING + name);
    await rename(folder, going);
    await rm(going, { recursive: true, force: true });
    total -= bytes;
    removed.push(name);
  }
  return removed;
}

async function isSlate(folder: string): Promise<boolean> {
  const packaged = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')) as PackagedMedia;
  return packaged.kind === 'slate';
}

/** undefined when it goes away meanwhile. */
async function weigh(shelf: string, name: string): Promise<Shelved | undefined> {
  const folder = join(shelf, name);
  try {
    const sizes = await Promise.all((await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size));
    const { mtimeMs } = await stat(join(folder, 'meta.json'));
    return { folder, name, bytes: sizes.reduce((sum, size) => sum + size, 0), usedAt: mtimeMs };
  } catch {
    return undefined;
  }
}

/** Remembers that a medium is used, not oftener than once an hour; a folder that can't be written is never swept. */
export function createUseMarker(): (folder: string) => void {
  const marked = new Map<string, number>();
  return (folder) => {
    const now = Date.now();
    if (now - (marked.get(folder) ?? 0) < TOUCH_MS) return;
    if (marked.size > 10_000) marked.clear();
    marked.set(folder, now);
    utimes(join(folder, 'meta.json'), now / 1000, now / 1000).catch(() => undefined);
  };
}
