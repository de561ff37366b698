// SPDX-License-Identifier: Apache-2.0
import { open } from 'node:fs/promises';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import type { ReadFile } from '../readMediaSegment.ts';
import { PIECE_BYTES } from './objectNames.ts';

/** Writes the file `name` of a medium to a path. */
export async function copyFile(path: string, packaged: PackagedMedia, name: string, read: ReadFile): Promise<void> {
  const track = packaged.tracks.find(({ file }) => file === name);
  const size = track === undefined ? 0 : track.sizes.reduce((sum, each) => sum + each, track.initSize);
  const file = await open(path, 'w');
  try {
    for (let at = 0; at < size; at += PIECE_BYTES)
      await file.appendFile(await read(name, at, Math.min(PIECE_BYTES, size - at)));
  } finally {
    await file.close();
  }
}
