// SPDX-License-Identifier: Apache-2.0
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { probeFolder } from '../../adapters/media/mediaSweep.ts';
import type { Config } from '../../config.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const GIB = 2 ** 30;
/** Below this, new creatives wait (docs/operating.md). */
const LEAST_BYTES = 256 * 2 ** 20;

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Leaves nothing behind: a folder that does not exist is not created. */
async function problemOf(folder: string, existing: string): Promise<string | undefined> {
  if (!(await stat(existing)).isDirectory()) return `${existing} is not a folder`;
  if (existing === folder) return probeFolder(folder);
  return access(existing, constants.W_OK).then(
    () => undefined,
    () => `${existing} cannot be written, so DATA_DIR cannot be created`,
  );
}

type Settings = Pick<Config, 'DATA_DIR' | 'MEDIA_MAX_GB' | 'MEDIA_URL' | 'MEDIA_CACHE_GB'>;

export async function checkDisk(source: Settings): Promise<Finding> {
  const folder = resolve(source.DATA_DIR);
  let existing = folder;
  while (!(await exists(existing))) existing = dirname(existing);
  const problem = await problemOf(folder, existing);
  if (problem !== undefined)
    return failed('Disk', problem, `Set DATA_DIR to a folder that this user can write; it is ${folder}.`);
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const text = `${folder}: ${(free / GIB).toFixed(1)} GiB free`;
  if (free < LEAST_BYTES) return failed('Disk', text, 'Free space: below 256 MiB, no creatives are conditioned.');
  // With MEDIA_URL, only the cache is on this disk.
  const setting = source.MEDIA_URL === undefined ? 'MEDIA_MAX_GB' : 'MEDIA_CACHE_GB';
  if (free < source[setting] * GIB)
    return warning(
      'Disk',
      `${text}, ${setting} is ${source[setting]}`,
      `Set ${setting} to less than the free space, so that unused media are deleted in time.`,
    );
  return ok('Disk', text);
}
