import type { Ffmpeg } from '../../ports.ts';
import { safeInput } from './encodeArguments.ts';

/** The loudness that programmes are broadcast at (EBU R 128), in LUFS. */
const TARGET = -23;
/** Below this there is nothing to hear, and nothing to raise. */
const SILENCE = -60;

/**
 * Decibels that bring a stream to the target; 0 when it is silent or can't be measured.
 * @param seconds how much of it plays
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
