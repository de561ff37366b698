// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeOnce } from './makeOnce.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Runs ffmpeg in a folder with these inputs and copies its output to `folder`. ffmpeg runs once for the same arguments and
 * inputs; later calls copy the cached output.
 * @param args with paths inside the folder only
 * @param inputs the names of the files in `folder` that ffmpeg reads
 */
export async function encodeOnce(
  folder: string,
  args: readonly string[],
  inputs: readonly string[] = [],
): Promise<void> {
  const command = ['-v', 'error', '-y', '-threads', '2', ...args];
  const contents = inputs.map(async (name) => [name, sha256(await readFile(join(folder, name)))]);
  await makeOnce(folder, { command, inputs: await Promise.all(contents) }, async (draft) => {
    for (const name of inputs) await copyFile(join(folder, name), join(draft, name));
    await promisify(execFile)('ffmpeg', command, { cwd: draft });
    for (const name of inputs) await rm(join(draft, name));
  });
}
