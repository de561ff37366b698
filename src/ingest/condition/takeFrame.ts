// SPDX-License-Identifier: Apache-2.0
// A still frame of a file as a JPEG image, at most 320 pixels wide.
import { joinBytes } from '../../mp4/boxes.ts';
import type { Ffmpeg } from '../ports.ts';
import { quietly, safeInput } from './encode/ffmpegArguments.ts';

const WIDTH = 320;
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 2 ** 20;

/**
 * @param file in `folder`
 * @param at seconds from its start
 * @returns undefined if the file has no frame there
 */
export async function takeFrame(ffmpeg: Ffmpeg, folder: string, file: string, at: number) {
  const pieces: Uint8Array[] = [];
  const result = await ffmpeg.run('ffmpeg', {
    arguments: [
      ...[...quietly(1), '-ss', at.toFixed(3), ...safeInput(file)],
      ...['-an', '-frames:v', '1', '-vf', `scale=w='min(${WIDTH},iw)':h=-2`, '-f', 'mjpeg', 'pipe:1'],
    ],
    folder,
    timeoutMs: TIMEOUT_MS,
    stdout: async (chunks) => {
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > MAX_BYTES) throw new Error(`a frame must have at most ${MAX_BYTES} bytes`);
        pieces.push(chunk);
      }
    },
  });
  return result.ok && pieces.length > 0 ? joinBytes(pieces) : undefined;
}
