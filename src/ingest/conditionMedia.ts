// Makes the media of one creative, or of one slate, for one ladder: fetch, probe, measure, encode, package.
import type { CreativeSource } from '../ads/creative.ts';
import { creativeFrames, framesPerSecond, longestFirstSlate } from '../timeline/frameGrid.ts';
import type { Ladder } from '../timeline/ladder.ts';
import { type EncodeInput, safeInput } from './conditionArguments.ts';
import { conditionEncode } from './conditionEncode.ts';
import { type Failure, isFailure } from './conditionFailure.ts';
import { conditionLoudness } from './conditionLoudness.ts';
import { conditionPlan, type EncodePlan } from './conditionPlan.ts';
import type { Ffmpeg, MediaWorkshop } from './conditionPorts.ts';
import { conditionProbe, type Probed } from './conditionProbe.ts';
import { conditionedRungs } from './conditionRungs.ts';
import { creativeShape, slateLoopShape, type TimeShape } from './conditionShape.ts';
import { conditionSource, type SourceFile, type SourceReach } from './conditionSource.ts';
import type { PackagedMedia } from './packagedMedia.ts';
import { slateCard } from './slateCard.ts';

export type ConditionTools = SourceReach & {
  readonly ffmpeg: Ffmpeg /** Of each encoder. */;
  readonly threads: number;
};
export type ConditionOrder = {
  readonly id: string;
  readonly kind: 'creative' | 'slate';
  /** Absent: the built-in slate. */
  readonly source?: CreativeSource;
  readonly ladder: Ladder;
};

const MOST_SECONDS = 600;
const LEAST_SECONDS = 0.5;
const SLATE_SECONDS = 30;
const CARD_SECONDS = 4;

/** The media are in the workshop, not yet published. */
export async function conditionMedia(
  { id, kind, source, ladder }: ConditionOrder,
  workshop: MediaWorkshop,
  tools: ConditionTools,
): Promise<PackagedMedia | Failure> {
  const plan = conditionPlan(ladder);
  if ('refused' in plan) return { failed: plan.refused, isLasting: true };
  const missing = await tools.ffmpeg.missing();
  if (missing !== undefined) return { failed: missing, isLasting: false };
  const prepared = source
    ? await prepareSource(kind, source, ladder, plan, workshop, tools)
    : prepareCard(ladder, plan);
  if (isFailure(prepared)) return prepared;
  const { input, shape } = prepared;
  const tracks = await conditionEncode(tools.ffmpeg, workshop, input, plan, shape, tools.threads);
  if (isFailure(tracks)) return tracks;
  const { container, frameRate } = ladder;
  const media = { id, frames: shape.frames, rungs: conditionedRungs(ladder, plan, tracks) };
  const rungs = plan.rungs.map(({ audio, ...rung }) =>
    audio === undefined ? rung : { ...rung, audio: plan.videos.length + audio },
  );
  return { kind, container, frameRate, media, tracks, rungs };
}

type Prepared = { readonly input: EncodeInput; readonly shape: TimeShape };

function prepareCard({ frameRate }: Ladder, { videos }: EncodePlan): Prepared {
  const [{ width, height } = { width: 16, height: 16 }] = [...videos].sort((a, b) => b.width - a.width);
  return {
    input: { inputs: [], video: `${slateCard(width, height)},`, gain: 0 },
    shape: slateLoopShape(CARD_SECONDS, frameRate),
  };
}

async function prepareSource(
  kind: ConditionOrder['kind'],
  source: CreativeSource,
  ladder: Ladder,
  plan: EncodePlan,
  workshop: MediaWorkshop,
  tools: ConditionTools,
): Promise<Prepared | Failure> {
  const files = await conditionSource(
    source,
    ladder,
    workshop,
    tools,
    kind === 'slate' ? SLATE_SECONDS + 2 : MOST_SECONDS + 1,
  );
  if (isFailure(files)) return files;
  const found: Found = {};
  for (const [input, file] of files.entries()) {
    const probed = await conditionProbe(tools.ffmpeg, workshop.folder, file.file, file.isPart);
    if (isFailure(probed)) return probed;
    if (file.holds !== 'audio' && probed.video) found.video = { input, file, probed };
    if (file.holds !== 'video' && probed.audio) found.audio = { input, file, probed };
  }
  const played = playedStream(found, plan);
  if (isFailure(played)) return played;
  if (kind === 'creative' && played.seconds > MOST_SECONDS + 0.25)
    return { failed: `it lasts ${Math.round(played.seconds)} s; ${MOST_SECONDS} s is the most`, isLasting: true };
  if (played.seconds < LEAST_SECONDS)
    return { failed: `it lasts ${played.seconds.toFixed(2)} s; half a second is the least`, isLasting: true };
  const { frameRate } = ladder;
  const shape =
    kind === 'slate'
      ? slateLoopShape(loopSeconds(played.seconds, ladder), frameRate)
      : creativeShape(creativeFrames(played.seconds, frameRate), frameRate);
  return { input: await encodeInput(files, found, shape, workshop, tools), shape };
}

type Place = { readonly input: number; readonly file: SourceFile; readonly probed: Probed };
type Found = { video?: Place; audio?: Place };

function playedStream({ video, audio }: Found, plan: EncodePlan): { seconds: number } | Failure {
  if (plan.videos.length > 0 && video === undefined)
    return { failed: audio ? 'it has sound but no video' : 'it has no video', isLasting: true };
  const place = video ?? audio;
  if (place === undefined) return { failed: 'it has neither video nor audio', isLasting: true };
  const { start, video: picture, audio: sound } = place.probed;
  return { seconds: (place === video ? picture! : sound!).end - start };
}

/** Whole seconds of slate after its first segment; a source that is shorter holds its last picture. */
function loopSeconds(seconds: number, { frameRate }: Ladder): number {
  const frames = Math.floor((Math.min(seconds, SLATE_SECONDS) * frameRate.n) / frameRate.d);
  return Math.max(1, Math.floor((frames - longestFirstSlate(frameRate)) / framesPerSecond(frameRate)));
}

/** Files of their own are each moved to zero by ffmpeg: the second is set back to where it was beside the first. */
async function encodeInput(
  files: readonly SourceFile[],
  { video, audio }: Found,
  shape: TimeShape,
  workshop: MediaWorkshop,
  { ffmpeg }: ConditionTools,
): Promise<EncodeInput> {
  const apart = video && audio && video !== audio ? audio.probed.start - video.probed.start : 0;
  const inputs = files.flatMap(({ file }, index) => [
    ...(index === audio?.input && audio.input !== video?.input && Math.abs(apart) < 10
      ? ['-itsoffset', apart.toFixed(6)]
      : []),
    ...safeInput(file),
  ]);
  const seconds = (shape.frames * shape.rate.d) / shape.rate.n;
  const gain = audio
    ? await conditionLoudness(ffmpeg, workshop.folder, audio.file.file, audio.probed.audio!.index, seconds)
    : 0;
  return {
    inputs,
    gain,
    ...(video ? { video: `[${video.input}:${video.probed.video!.index}]` } : {}),
    ...(audio ? { audio: `[${audio.input}:${audio.probed.audio!.index}]` } : {}),
  };
}
