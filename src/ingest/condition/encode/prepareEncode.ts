// SPDX-License-Identifier: Apache-2.0
// Examines fetched files before they are encoded: which streams to use, how long they are and how loud.
import { framesToSeconds } from '../../../time/frameRate.ts';
import { creativeFrames, framesPerSecond, maxFirstSlateFrames } from '../../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { Ffmpeg } from '../../ports.ts';
import { type Failure, isFailure } from '../fetch/conditionFailure.ts';
import type { SourceFile } from '../fetch/fetchSource.ts';
import type { EncodePlan } from '../plan/planEncode.ts';
import { creativeShape, slateLoopShape, type TimeShape } from '../plan/timeShape.ts';
import type { EncodeInput } from './encodeArguments.ts';
import { safeInput } from './ffmpegArguments.ts';
import { type Probed, probeFile } from './probeFile.ts';

export type PreparedEncode = { readonly input: EncodeInput; readonly shape: TimeShape };

const MIN_SECONDS = 0.5;

/** @param maxSeconds the limit: a longer creative fails, and of a longer slate only the beginning is looped */
export async function prepareEncode(
  kind: 'creative' | 'slate',
  files: readonly SourceFile[],
  maxSeconds: number,
  ladder: Ladder,
  plan: EncodePlan,
  folder: string,
  ffmpeg: Ffmpeg,
): Promise<PreparedEncode | Failure> {
  const found: Found = {};
  for (const [input, file] of files.entries()) {
    const probed = await probeFile(ffmpeg, folder, file.file, file.isPart);
    if (isFailure(probed)) return probed;
    if (file.holds !== 'audio' && probed.video) found.video = { input, file, probed };
    if (file.holds !== 'video' && probed.audio) found.audio = { input, file, probed };
  }
  const played = playedStream(found, plan);
  if (isFailure(played)) return played;
  const { seconds } = played;
  if (kind === 'creative' && seconds > maxSeconds + 0.25) {
    const failed = `it must last at most ${maxSeconds} s; it lasts ${Math.round(seconds)} s`;
    return { failed, fault: 'TOO_LONG', isPermanent: true };
  }
  if (seconds < MIN_SECONDS) {
    const failed = `it must last at least ${MIN_SECONDS} s; it lasts ${seconds.toFixed(2)} s`;
    return { failed, fault: 'TOO_SHORT', isPermanent: true };
  }
  const shape = shapeOf(kind, seconds, maxSeconds, ladder);
  return { input: await inputOf(files, found, shape, folder, ffmpeg), shape };
}

/** A stream, by the index of its file among the inputs. */
type FoundStream = { readonly input: number; readonly file: SourceFile; readonly probed: Probed };
type Found = { video?: FoundStream; audio?: FoundStream };

function playedStream({ video, audio }: Found, plan: EncodePlan): { seconds: number } | Failure {
  if (plan.videos.length > 0 && video === undefined)
    return {
      failed: `it must have video; it has ${audio ? 'audio only' : 'none'}`,
      fault: 'NO_VIDEO',
      isPermanent: true,
    };
  const played = video ?? audio;
  if (played === undefined)
    return { failed: 'it must have video or audio; it has neither', fault: 'NO_VIDEO', isPermanent: true };
  const seconds = secondsOf(played, played === video ? 'video' : 'audio');
  // A still picture with audio is displayed for as long as the audio lasts.
  return { seconds: seconds < MIN_SECONDS && audio ? Math.max(seconds, secondsOf(audio, 'audio')) : seconds };
}

const secondsOf = ({ probed }: FoundStream, kind: 'video' | 'audio'): number => probed[kind]!.end - probed.start;

/** Slate lasts whole seconds after its first segment, at least one. A shorter source holds its last frame. */
function shapeOf(kind: 'creative' | 'slate', seconds: number, maxSeconds: number, { frameRate }: Ladder): TimeShape {
  if (kind === 'creative') return creativeShape(creativeFrames(seconds, frameRate), frameRate);
  const frames = Math.floor((Math.min(seconds, maxSeconds) * frameRate.n) / frameRate.d);
  const whole = Math.floor((frames - maxFirstSlateFrames(frameRate)) / framesPerSecond(frameRate));
  return slateLoopShape(Math.max(1, whole), frameRate);
}

/** ffmpeg moves each input file to zero. An offset restores the distance between separate video and audio files. */
async function inputOf(
  files: readonly SourceFile[],
  { video, audio }: Found,
  shape: TimeShape,
  folder: string,
  ffmpeg: Ffmpeg,
): Promise<EncodeInput> {
  const apart = video && audio && video !== audio ? audio.probed.start - video.probed.start : 0;
  const inputs = files.flatMap(({ file }, index) => [
    ...(index === audio?.input && audio.input !== video?.input && Math.abs(apart) < 10
      ? ['-itsoffset', apart.toFixed(6)]
      : []),
    ...safeInput(file),
  ]);
  const seconds = framesToSeconds(shape.frames, shape.rate);
  const gain = audio ? await measureGain(ffmpeg, folder, audio.file.file, audio.probed.audio!.index, seconds) : 0;
  return {
    inputs,
    gain,
    ...(video ? { video: `[${video.input}:${video.probed.video!.index}]` } : {}),
    ...(audio ? { audio: `[${audio.input}:${audio.probed.audio!.index}]` } : {}),
  };
}

/** The target loudness of broadcasting (EBU R 128), in LUFS. */
const TARGET = -23;
/** Audio below this level counts as silent and is not amplified. */
const SILENCE = -60;

/**
 * The gain that brings a stream to the target loudness, in dB; 0 if it is silent or cannot be measured.
 * @param seconds of the stream that play
 */
async function measureGain(
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
