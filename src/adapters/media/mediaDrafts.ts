// SPDX-License-Identifier: Apache-2.0
// Drafts: folders in which media are written before they are published. The owner of a draft updates the time of its
// `owner` file as a heartbeat; a draft without a heartbeat was abandoned by a process that ended, and is removed.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { MediaDraft } from '../../ingest/package/mediaStore.ts';
import { packRows } from '../../ingest/package/packAsset.ts';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';
import { REMOVAL_PREFIX } from './mediaSweep.ts';

/** The prefix of drafts; no request can contain a leading `.`. */
export const DRAFT_PREFIX = '.making-';
const OWNER = 'owner';
const ABANDONED_AFTER_MS = 60_000;
const HEARTBEAT_MS = 10_000;

/** The drafts of this process. One with its process id that is not among them was left by an earlier process. */
const held = new Set<string>();

/** Adds the media in a draft's folder, which contains nothing else, to a store. */
type AddMedia = (folder: string, packaged: PackagedMedia) => Promise<void>;

const addFolder: AddMedia = async (folder, { media }) => {
  const root = dirname(folder);
  await rename(folder, join(root, media.id)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // another process has published the same medium
  });
  await syncFolder(root);
};

/** Each draft has its own folder, because several workers may condition the same medium. */
export async function openMediaDraft(root: string, id: string, add: AddMedia = addFolder): Promise<MediaDraft> {
  const folder = join(root, `${DRAFT_PREFIX}${id}-${randomBytes(6).toString('hex')}`);
  held.add(folder);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, OWNER), `${process.pid} ${hostname()}`);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(join(folder, OWNER), now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  const discard = async (): Promise<void> => {
    clearInterval(heartbeat);
    await rm(folder, { recursive: true, force: true });
    held.delete(folder);
  };
  return {
    folder,
    async create(name) {
      const file = await open(join(folder, name), 'wx');
      return {
        write: (bytes) => file.appendFile(bytes),
        close: async () => {
          await file.sync();
          await file.close();
        },
      };
    },
    async publish(packaged) {
      await writeFile(join(folder, 'meta.json'), JSON.stringify(packaged, packRows), { flag: 'wx', flush: true });
      await keepOnly(folder, packaged);
      await add(folder, packaged);
      await discard();
    },
    discard,
  };
}

/** Removes abandoned drafts and the remains of interrupted sweeps. */
export async function removeAbandonedDrafts(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(DRAFT_PREFIX) || each.startsWith(REMOVAL_PREFIX))) {
    const folder = join(root, name);
    if (name.startsWith(REMOVAL_PREFIX) || (await isAbandoned(folder)))
      await rm(folder, { recursive: true, force: true });
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const owner = join(folder, OWNER);
  const times = await stat(owner).catch(() => stat(folder).catch(() => undefined));
  if (times === undefined) return true;
  if (held.has(folder)) return false;
  if (Date.now() - times.mtimeMs > ABANDONED_AFTER_MS) return true;
  const [pid, host] = (await readFile(owner, 'utf8').catch(() => '')).split(' ');
  if (host !== hostname()) return false;
  return Number(pid) === process.pid || !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 only tests whether the process exists
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function keepOnly(folder: string, packaged: PackagedMedia): Promise<void> {
  const kept = new Set(['meta.json', ...packaged.tracks.map((track) => track.file)]);
  const others = (await readdir(folder)).filter((name) => !kept.has(name));
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().catch(() => undefined); // some file systems cannot sync folders
  await folder.close();
}
