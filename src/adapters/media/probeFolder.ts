// SPDX-License-Identifier: Apache-2.0
// Checks that files can be written to a folder. Free space alone is not enough: only a write detects quotas, process
// limits and read-only mounts.
import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const SIZE = 64 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk of DATA_DIR is full',
  EDQUOT: 'the quota of DATA_DIR is exceeded',
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
