// SPDX-License-Identifier: Apache-2.0
// Removes unused media when space is needed, and reports when there is none. The modification time of `meta.json` is
// the time of the last use: every process updates it when it serves the medium.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';

/** The prefix of folders that are being removed; no request can contain a leading `.`. */
export const REMOVAL_PREFIX = '.going-';
/** The suffix of files that contain the folder of a name. */
export const NAME_SUFFIX = '.name';
export const HOUR_MS = 3_600_000;
/** Without VoD sessions, no player, manifest or process refers to a medium after this time without use. */
export const UNUSED_MS = 24 * HOUR_MS;
/** The last use of a medium is recorded at most this often. */
const USE_INTERVAL_MS = HOUR_MS;
/** How long a measured size is reused. */
const MEASURED_MS = 30_000;
/** Bytes that must stay free on the disk: several creatives are conditioned at once, next to their sources. */
export const MIN_FREE_BYTES = 256 * 2 ** 20;
const MEDIUM = /^[0-9a-f]+$/;

type StoredMedium = { readonly folder: string; readonly name: string; readonly bytes: number; readonly usedAt: number };
type SweepResult = { readonly removed: readonly string[]; readonly bytes: number };

/** Removes the longest unused creatives until the rest fits into `maxBytes`. Media that were used within `unusedMs` stay. */
export async function sweepMedia(root: string, maxBytes: number, unusedMs: number): Promise<SweepResult> {
  const names = (await readdir(root).catch(() => [])).filter((name) => MEDIUM.test(name));
  const media: StoredMedium[] = [];
  for (const name of names) {
    const medium = await measure(root, name);
    if (medium !== undefined) media.push(medium);
  }
  let bytes = media.reduce((sum, each) => sum + each.bytes, 0);
  const removed: string[] = [];
  for (const { folder, name, ...each } of media.sort((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= maxBytes || Date.now() - each.usedAt < unusedMs) break;
    if (await isSlate(folder)) continue; // an idle channel needs it at once when it resumes
    const removal = join(root, REMOVAL_PREFIX + name);
    try {
      await rename(folder, removal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue; // another process was faster
      throw error;
    }
    await rm(removal, { recursive: true, force: true });
    bytes -= each.bytes;
    removed.push(name);
  }
  if (removed.length > 0) await removeNames(root, new Set(removed));
  return { removed, bytes };
}

async function removeNames(root: string, removed: ReadonlySet<string>): Promise<void> {
  for (const name of (await readdir(root)).filter((each) => each.endsWith(NAME_SUFFIX))) {
    const path = join(root, name);
    if (removed.has(await readFile(path, 'utf8').catch(() => ''))) await rm(path, { force: true });
  }
}

/** Sweeps a folder. If the disk is nearly full, all unused media are removed. */
export async function sweepFolder(root: string, maxBytes: number, unusedMs: number): Promise<Swept> {
  await mkdir(root, { recursive: true });
  const isFull = (await diskFull(root)) !== undefined;
  const { removed, bytes } = await sweepMedia(root, isFull ? 0 : maxBytes, unusedMs);
  return { removed, reason: tooLarge(bytes, maxBytes, unusedMs) ?? (await diskFull(root)) };
}

/** The removed media, and the reason why there is no space; undefined if there is. */
type Swept = { readonly removed: readonly string[]; readonly reason: string | undefined };

/** Tracks whether there is space for new media. Measuring takes a while, so the result is reused for a moment. */
export function createMediaSpace(elapsed: () => number, sweepOnce: () => Promise<Swept>) {
  let last: { readonly at: number; readonly reason: string | undefined } | undefined;
  const unreported: string[] = [];
  const sweep = async () => {
    const { removed, reason } = await sweepOnce();
    last = { at: elapsed(), reason };
    unreported.push(...removed);
  };
  return {
    /** @returns the media that were removed since the last call */
    async sweep(): Promise<readonly string[]> {
      await sweep();
      return unreported.splice(0);
    },
    /** @returns the reason why there is no space; undefined if there is */
    async full(): Promise<string | undefined> {
      if (last === undefined || elapsed() - last.at > MEASURED_MS) await sweep();
      return last?.reason;
    },
  };
}

export const tooLarge = (bytes: number, maxBytes: number, unusedMs: number): string | undefined =>
  bytes > maxBytes
    ? `media that were used within ${Math.round(unusedMs / HOUR_MS)} h occupy ${mib(bytes)} MiB, which exceeds MEDIA_MAX_GB (${mib(maxBytes)} MiB)`
    : undefined;

export async function diskFull(folder: string): Promise<string | undefined> {
  const free = await freeBytes(folder);
  return free < MIN_FREE_BYTES ? `the disk has only ${mib(free)} MiB left` : undefined;
}

/** Infinity if the system does not report it. */
export async function freeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk === undefined ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
}

export const mib = (bytes: number): number => Math.round(bytes / 2 ** 20);

async function isSlate(folder: string): Promise<boolean> {
  const meta = await readFile(join(folder, 'meta.json'), 'utf8').catch(() => undefined);
  return meta !== undefined && (JSON.parse(meta) as PackagedMedia).kind === 'slate';
}

/** @returns undefined if the medium is removed meanwhile */
async function measure(root: string, name: string): Promise<StoredMedium | undefined> {
  const folder = join(root, name);
  try {
    const sizes = await Promise.all((await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size));
    const { mtimeMs } = await stat(join(folder, 'meta.json'));
    return { folder, name, bytes: sizes.reduce((sum, size) => sum + size, 0), usedAt: mtimeMs };
  } catch {
    return undefined;
  }
}

/** Records the use of media, each at most once an hour. A folder that is not writable is never swept. */
export function createUseMarker(): (folder: string) => void {
  const marked = new Map<string, number>();
  return (folder) => {
    const now = Date.now();
    if (now - (marked.get(folder) ?? 0) < USE_INTERVAL_MS) return;
    if (marked.size > 10_000) marked.clear();
    marked.set(folder, now);
    utimes(join(folder, 'meta.json'), now / 1000, now / 1000).catch(() => undefined);
  };
}

// Checks that files can be written to a folder. Free space alone is not enough: only a write detects quotas, process
// limits and read-only mounts.

const SIZE = 64 * 1024;

const FULL = 'the disk of DATA_DIR is full';
const OVER_QUOTA = 'the quota of DATA_DIR is exceeded';
/** Reasons that end with free space. */
export const noSpace: ReadonlySet<string> = new Set([FULL, OVER_QUOTA]);

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: OVER_QUOTA,
  EFBIG: 'a file in DATA_DIR exceeds the file size limit of the process',
  EROFS: 'DATA_DIR is read-only',
  EACCES: 'DATA_DIR cannot be written: permission denied',
  EPERM: 'DATA_DIR cannot be written: permission denied',
  ENOENT: 'DATA_DIR does not exist',
};

/** @returns the reason why no file can be written; undefined if one can */
export async function probeFolder(folder: string): Promise<string | undefined> {
  // Not the process id: in containers that share the folder, every process has the same one.
  const path = join(folder, `.ready-${randomUUID()}`);
  try {
    const file = await open(path, 'w');
    try {
      await file.writeFile(Buffer.alloc(SIZE, 1));
      await file.sync();
    } finally {
      await file.close();
      await unlink(path);
    }
    return undefined;
  } catch (error) {
    const { code = 'an error' } = error as { code?: string };
    return reasons[code] ?? `DATA_DIR cannot be written: ${code}`;
  }
}
