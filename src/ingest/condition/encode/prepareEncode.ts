// What the encoder is told of files that were fetched: which streams to take, how long they play and how loud they are.
import { creativeFrames, framesPerSecond, maxFirstSlateFrames } from '../../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { Ffmpeg } from '../../ports.ts';
import { type Failure, isFailure } from '../fetch/conditionFailure.ts';
import type { SourceFile } from '../fetch/fetchSource.ts';
import type { EncodePlan } from '../plan/planEncode.ts';
import { creativeShape, slateLoopShape, type TimeShape } from '../plan/timeShape.ts';
import { type EncodeInput, safeInput } from './encodeArguments.ts';
import { measureGain } from './measureGain.ts';
import { type Probed, probeFile } from './probeFile.ts';

export type PreparedEncode = { readonly input: EncodeInput; readonly shape: TimeShape };

const LEAST_SECONDS = 0.5;

/** @param mostSeconds a longer creative is refused; of a longer slate only so much is looped */
export async function prepareEncode(
  kind: 'creative' | 'slate',
  files: readonly SourceFile[],
  mostSeconds: number,
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
  if (kind === 'creative' && seconds > mostSeconds + 0.25) {
    const failed = `it lasts ${Math.round(seconds)} s; ${mostSeconds} s is the most`;
    return { failed, fault: 'TOO_LONG', isPermanent: true };
  }
  if (seconds < LEAST_SECONDS) {
    const failed = `it lasts ${seconds.toFixed(2)} s; half a second is the least`;
    return { failed, fault: 'TOO_SHORT', isPermanent: true };
  }
  const shape = shapeOf(kind, seconds, mostSeconds, ladder);
  return { input: await encodeInput(files, found, shape, folder, ffmpeg), shape };
}

type Place = { readonly input: number; readonly file: SourceFile; readonly probed: Probed };
type Found = { video?: Place; audio?: Place };

function playedStream({ video, audio }: Found, plan: EncodePlan): { seconds: number } | Failure {
  if (plan.videos.length > 0 && video === undefined)
    return { failed: audio ? 'it has sound but no video' : 'it has no video', fault: 'NO_VIDEO', isPermanent: true };
  const place = video ?? audio;
  if (place === undefined) return { failed: 'it has neither video nor audio', fault: 'NO_VIDEO', isPermanent: true };
  const seconds = secondsOf(place, place === video ? 'video' : 'audio');
  // A single picture under a sound stands still for as long as there is something to hear.
  return { seconds: seconds < LEAST_SECONDS && audio ? Math.max(seconds, secondsOf(audio, 'audio')) : seconds };
}

const secondsOf = ({ probed }: Place, kind: 'video' | 'audio'): number => probed[kind]!.end - probed.start;

/** Slate is whole seconds after its first segment, one at least; a source that is shorter holds its last picture. */
function shapeOf(kind: 'creative' | 'slate', seconds: number, mostSeconds: number, { frameRate }: Ladder): TimeShape {
  if (kind === 'creative') return creativeShape(creativeFrames(seconds, frameRate), frameRate);
  const frames = Math.floor((Math.min(seconds, mostSeconds) * frameRate.n) / frameRate.d);
  const whole = Math.floor((frames - maxFirstSlateFrames(frameRate)) / framesPerSecond(frameRate));
  return slateLoopShape(Math.max(1, whole), frameRate);
}

/** Files of their own are each moved to zero by ffmpeg: the second is set back to where it was beside the first. */
async function encodeInput(
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
  const seconds = (shape.frames * shape.rate.d) / shape.rate.n;
  const gain = audio ? await measureGain(ffmpeg, folder, audio.file.file, audio.probed.audio!.index, seconds) : 0;
  return {
    inputs,
    gain,
    ...(video ? { video: `[${video.input}:${video.probed.video!.index}]` } : {}),
    ...(audio ? { audio: `[${audio.input}:${audio.probed.audio!.index}]` } : {}),
  };
}
