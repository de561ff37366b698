// Media that nobody plays any more make room for new ones. When a medium was last used stands in the time of its
// `meta.json`, which every process refreshes as it serves from it.
import { mkdir, readdir, readFile, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';

/** The beginning of names of folders that are going; `.` keeps every request away from them. */
export const GOING = '.going-';
/** The ending of files that tell which folder a name means. */
export const NAME_ENDING = '.name';
/** Players, manifests and processes that know of a medium have all forgotten it after so long without use. */
const UNUSED_MS = 24 * 3_600_000;
const TOUCH_MS = 3_600_000;
/** How long the size that was found is believed. */
const WEIGHED_MS = 30_000;
/** Bytes that a disk must have free: several creatives are made at a time, and their sources stand beside them. */
const LEAST_FREE = 256 * 2 ** 20;
const MEDIUM = /^[0-9a-f]+$/;

type Shelved = { readonly folder: string; readonly name: string; readonly bytes: number; readonly usedAt: number };
export type Swept = { readonly removed: readonly string[]; readonly bytes: number };

/** Takes the longest unused creatives away until the others fit into `mostBytes`; what was used within a day stays. */
export async function sweepMedia(shelf: string, mostBytes: number): Promise<Swept> {
  const names = (await readdir(shelf).catch(() => [])).filter((name) => MEDIUM.test(name));
  const media: Shelved[] = [];
  for (const name of names) {
    const weighed = await weigh(shelf, name);
    if (weighed !== undefined) media.push(weighed);
  }
  let bytes = media.reduce((sum, each) => sum + each.bytes, 0);
  const removed: string[] = [];
  for (const { folder, name, ...each } of media.sort((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= mostBytes || Date.now() - each.usedAt < UNUSED_MS) break;
    if (await isSlate(folder)) continue; // an idle channel must come back with it at once
    const going = join(shelf, GOING + name);
    try {
      await rename(folder, going);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue; // another process was faster
      throw error;
    }
    await rm(going, { recursive: true, force: true });
    bytes -= each.bytes;
    removed.push(name);
  }
  if (removed.length > 0) await removeNames(shelf, new Set(removed));
  return { removed, bytes };
}

/** Names of what is gone mean nothing. */
async function removeNames(shelf: string, gone: ReadonlySet<string>): Promise<void> {
  for (const name of (await readdir(shelf)).filter((each) => each.endsWith(NAME_ENDING))) {
    const path = join(shelf, name);
    if (gone.has(await readFile(path, 'utf8').catch(() => ''))) await rm(path, { force: true });
  }
}

/** Whether there is room on the shelf, looked at now and then: weighing it takes a while. */
export function createShelfRoom(shelf: string, mostBytes: number) {
  let last: { readonly at: number; readonly why: string | undefined } | undefined;
  let untold: string[] = [];
  const sweep = async (): Promise<void> => {
    await mkdir(shelf, { recursive: true });
    const free = await freeBytes(shelf);
    // Where the disk is nearly full, whatever may go has to go.
    const { removed, bytes } = await sweepMedia(shelf, free < LEAST_FREE ? 0 : mostBytes);
    last = { at: Date.now(), why: await whyFull(bytes) };
    untold.push(...removed);
  };
  const whyFull = async (bytes: number): Promise<string | undefined> => {
    if (bytes > mostBytes)
      return `media that were played within a day take ${mib(bytes)} MiB of the ${mib(mostBytes)} MiB that they may`;
    const free = await freeBytes(shelf);
    return free < LEAST_FREE ? `the disk has only ${mib(free)} MiB left` : undefined;
  };
  return {
    /** @returns what was taken away since it was called last */
    async sweep(): Promise<readonly string[]> {
      await sweep();
      const removed = untold;
      untold = [];
      return removed;
    },
    async full(): Promise<string | undefined> {
      if (last === undefined || Date.now() - last.at > WEIGHED_MS) await sweep();
      return last?.why;
    },
  };
}

/** What cannot be told counts as enough. */
async function freeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk === undefined ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
}

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20);

async function isSlate(folder: string): Promise<boolean> {
  const meta = await readFile(join(folder, 'meta.json'), 'utf8').catch(() => undefined);
  return meta !== undefined && (JSON.parse(meta) as PackagedMedia).kind === 'slate';
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
