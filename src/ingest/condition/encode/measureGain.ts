// SPDX-License-Identifier: Apache-2.0
import type { Ffmpeg } from '../../ports.ts';
import { safeInput } from './ffmpegArguments.ts';

/** The target loudness of broadcasting (EBU R 128), in LUFS. */
const TARGET = -23;
/** Audio below this level counts as silent and is not amplified. */
const SILENCE = -60;

/**
 * The gain that brings a stream to the target loudness, in dB; 0 if it is silent or cannot be measured.
 * @param seconds of the stream that play
 */
export async function measureGain(
  ffmpeg: Ffmpeg,
  folder: string,
  file: string,
  stream: number,
  seconds: number,
): Promise<number> {
  const filters = 'aformat=channel_layouts=stereo,ebur128=peak=true:framelog=verbose';
  const output = ['-map', `0:${stream}`, '-af', filters, '-f', 'null', '-'];
  const result = await ffmpeg.run('ffmpeg', {
    arguments: ['-hide_banner', '-nostdin', '-vn', '-t', seconds.toFixed(3), ...safeInput(file), ...output],
    folder,
    timeoutMs: 120_000,
  });
  const [last] = [...result.stderr.matchAll(/\bI:\s+(-?[\d.]+) LUFS/g)].slice(-1);
  const loudness = Number(last?.[1] ?? Number.NaN);
  if (!(loudness >= SILENCE)) return 0;
  return Math.min(20, Math.max(-30, TARGET - loudness));
}
