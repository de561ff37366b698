// SPDX-License-Identifier: Apache-2.0
// Writes files that are complete or missing, also after a power failure. File systems may rename a file before its bytes are on
// the disk, so these are flushed first.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The prefix of files that are not complete. */
export const DRAFT = '.draft-';

/** Replaces the file, and creates its folder. @throws if that fails; the file is as it was before */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, DRAFT + randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(draft, content, { flag: 'wx', flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Waits until a file is on the disk, or the names of the files in a folder. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
