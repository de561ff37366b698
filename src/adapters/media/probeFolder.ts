// Whether a folder takes files. Free space alone does not tell: quotas, limits of the process and read-only mounts are
// found out by writing only.
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const SIZE = 64 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk of DATA_DIR is full',
  EDQUOT: 'the quota of DATA_DIR is used up',
  EFBIG: 'files in DATA_DIR have reached the size that the process may write',
  EROFS: 'DATA_DIR is read-only',
  EACCES: 'DATA_DIR cannot be written: permission denied',
  EPERM: 'DATA_DIR cannot be written: permission denied',
  ENOENT: 'DATA_DIR is gone',
};

/** @returns why no file can be written there, or undefined */
export async function probeFolder(folder: string): Promise<string | undefined> {
  const path = join(folder, `.ready-${process.pid}`);
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
