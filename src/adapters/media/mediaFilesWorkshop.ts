// Where media are made: a folder of whoever makes them. Its owner keeps it fresh; one that nobody keeps fresh was left by
// a process that died, and is taken away.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { MediaDraft } from '../../ingest/package/mediaStore.ts';
import { packRows } from '../../ingest/package/packAsset.ts';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';
import { GOING } from './mediaFilesSweep.ts';

/** The beginning of names of what is being made; `.` keeps every request away from it. */
export const WORKSHOP = '.making-';
const OWNER = 'owner';
const FRESH_MS = 60_000;
const REFRESH_MS = 10_000;

/** The workshops of this process: one that bears its number and is not among them was left by a process before it. */
const held = new Set<string>();

/** Nobody else's, whoever makes the same medium: a worker that was given up may still be at it. */
export async function openWorkshop(shelf: string, id: string): Promise<MediaDraft> {
  const folder = join(shelf, `${WORKSHOP}${id}-${randomBytes(6).toString('hex')}`);
  held.add(folder);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, OWNER), `${process.pid} ${hostname()}`);
  const refreshing = setInterval(() => {
    const now = new Date();
    utimes(join(folder, OWNER), now, now).catch(() => undefined);
  }, REFRESH_MS);
  refreshing.unref();
  const leave = async (): Promise<void> => {
    clearInterval(refreshing);
    await rm(folder, { recursive: true, force: true });
    held.delete(folder);
  };
  return {
    folder,
    async create(name) {
      const file = await open(join(folder, name), 'wx');
      return {
        write: async (bytes) => {
          await file.appendFile(bytes);
        },
        close: async () => {
          await file.sync();
          await file.close();
        },
      };
    },
    async publish(packaged) {
      await writeSynced(join(folder, 'meta.json'), JSON.stringify(packaged, packRows));
      await keepOnly(folder, packaged);
      await rename(folder, join(shelf, packaged.media.id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // somebody was sooner: theirs is as good
      });
      await leave();
      await syncFolder(shelf);
    },
    discard: leave,
  };
}

/** Removes the workshops of owners that are gone, and what a sweep was removing. */
export async function clearWorkshops(shelf: string): Promise<void> {
  const names = await readdir(shelf).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(WORKSHOP) || each.startsWith(GOING))) {
    const folder = join(shelf, name);
    if (name.startsWith(GOING) || (await isAbandoned(folder))) await rm(folder, { recursive: true, force: true });
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const owner = join(folder, OWNER);
  const times = await stat(owner).catch(() => stat(folder).catch(() => undefined));
  if (times === undefined) return true;
  if (held.has(folder)) return false;
  if (Date.now() - times.mtimeMs > FRESH_MS) return true;
  const [pid, host] = (await readFile(owner, 'utf8').catch(() => '')).split(' ');
  if (host !== hostname()) return false;
  return Number(pid) === process.pid || !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // asks, ends nothing
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

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  await file.writeFile(text);
  await file.sync();
  await file.close();
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().catch(() => undefined); // not every file system syncs folders
  await folder.close();
}
