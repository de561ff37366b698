// SPDX-License-Identifier: Apache-2.0
// Examines fetched files before they are encoded: which streams to use, how long they are and how loud.
import { framesToSeconds } from '../../../time/frameRate.ts';
import { creativeFrames, framesPerSecond, maxFirstSlateFrames } from '../../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { Ffmpeg } from '../../ports.ts';
import { type Failure, isFailure, permanent, programFault, transient } from '../fetch/conditionFailure.ts';
import type { SourceFiles } from '../fetch/fetchSource.ts';
import { creativeShape, type EncodePlan, slateLoopShape, type TimeShape } from '../plan/planEncode.ts';
import { type EncodeInput, safeInput } from './encodeArguments.ts';

export type EncodeJob = {
  readonly plan: EncodePlan;
  readonly ladder: Ladder;
  readonly folder: string;
  readonly ffmpeg: Ffmpeg;
  readonly threads: number;
};
export type PreparedEncode = { readonly input: EncodeInput; readonly shape: TimeShape };

const MIN_SECONDS = 0.5;

/** @param maxSeconds the limit: a longer creative fails, and of a longer slate only the beginning is looped */
export async function prepareEncode(
  kind: 'creative' | 'slate',
  files: SourceFiles,
  maxSeconds: number,
  job: EncodeJob,
): Promise<PreparedEncode | Failure> {
  const { plan, ladder, folder, ffmpeg } = job;
  const found: Found = {};
  for (const [input, file] of files.entries()) {
    const probed = await probeFile(ffmpeg, folder, file.file, file.isPart);
    if (isFailure(probed)) return probed;
    const { start: zero, video, audio } = probed;
    if (file.holds !== 'audio' && video) found.video = { input, file: file.file, zero, stream: video };
    if (file.holds !== 'video' && audio) found.audio = { input, file: file.file, zero, stream: audio };
  }
  const played = playedStream(found, plan);
  if (isFailure(played)) return played;
  const { seconds } = played;
  if (kind === 'creative' && seconds > maxSeconds + 0.25)
    return permanent('TOO_LONG', `it must last at most ${maxSeconds} s; it lasts ${Math.round(seconds)} s`);
  if (seconds < MIN_SECONDS)
    return permanent('TOO_SHORT', `it must last at least ${MIN_SECONDS} s; it lasts ${seconds.toFixed(2)} s`);
  const shape = shapeOf(kind, seconds, maxSeconds, ladder);
  return { input: await inputOf(files, found, shape, job), shape };
}

/** A stream. `input`: the index of its file among the inputs. `zero`: the time of the file that ffmpeg moves to zero. */
type FoundStream = {
  readonly input: number;
  readonly file: string;
  readonly zero: number;
  readonly stream: ProbedStream;
};
type Found = { video?: FoundStream; audio?: FoundStream };

function playedStream({ video, audio }: Found, plan: EncodePlan): { seconds: number } | Failure {
  if (plan.videos.length > 0 && video === undefined)
    return permanent('NO_VIDEO', `it must have video; it has ${audio ? 'audio only' : 'none'}`);
  const played = video ?? audio;
  if (played === undefined) return permanent('NO_VIDEO', 'it must have video or audio; it has neither');
  const seconds = secondsOf(played);
  // A still picture with audio is displayed for as long as the audio lasts.
  return { seconds: seconds < MIN_SECONDS && audio ? Math.max(seconds, secondsOf(audio)) : seconds };
}

const secondsOf = ({ stream, zero }: FoundStream): number => stream.end - zero;

/** Slate lasts whole seconds after its first segment, at least one. A shorter source holds its last frame. */
function shapeOf(kind: 'creative' | 'slate', seconds: number, maxSeconds: number, { frameRate }: Ladder): TimeShape {
  if (kind === 'creative') return creativeShape(creativeFrames(seconds, frameRate), frameRate);
  const frames = Math.floor((Math.min(seconds, maxSeconds) * frameRate.n) / frameRate.d);
  const whole = Math.floor((frames - maxFirstSlateFrames(frameRate)) / framesPerSecond(frameRate));
  return slateLoopShape(Math.max(1, whole), frameRate);
}

/** ffmpeg moves each input file to zero. An offset restores the distance between separate video and audio files. */
async function inputOf(files: SourceFiles, { video, audio }: Found, shape: TimeShape, { folder, ffmpeg }: EncodeJob) {
  const apart = video && audio ? audio.zero - video.zero : 0;
  const inputs = files.flatMap(({ file }, index) => [
    ...(index === audio?.input && audio.input !== video?.input && Math.abs(apart) < 10
      ? ['-itsoffset', apart.toFixed(6)]
      : []),
    ...safeInput(file),
  ]);
  const seconds = framesToSeconds(shape.frames, shape.rate);
  const gain = audio ? await measureGain(audio, seconds, folder, ffmpeg) : 0;
  const padOf = ({ input, stream }: FoundStream): string => `[${input}:${stream.index}]`;
  return { inputs, gain, video: video && padOf(video), audio: audio && padOf(audio) };
}

/** The target loudness of broadcasting (EBU R 128), in LUFS. */
const TARGET = -23;
/** Audio below this level counts as silent and is not amplified. */
const SILENCE = -60;

/** The gain to the target loudness, in dB, of so many seconds; 0 if they are silent or cannot be measured. */
async function measureGain({ file, stream }: FoundStream, seconds: number, folder: string, ffmpeg: Ffmpeg) {
  const filters = 'aformat=channel_layouts=stereo,ebur128=peak=true:framelog=verbose';
  const output = ['-map', `0:${stream.index}`, '-af', filters, '-f', 'null', '-'];
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

// Finds the streams of a saved file and their duration. Durations are measured on packets, because headers are often wrong.

type ProbedStream = {
  readonly index: number;
  /** In seconds, on the timeline of the file. */
  readonly start: number;
  readonly end: number;
};
type Probed = {
  /** The time of the file that ffmpeg moves to zero. */
  readonly start: number;
  readonly video: ProbedStream | undefined;
  readonly audio: ProbedStream | undefined;
};

const ENTRIES = [
  'format=start_time,duration',
  'stream=index,codec_type,codec_name,avg_frame_rate,duration',
  'stream_disposition=attached_pic',
  'packet=stream_index,pts_time,duration_time',
].join(':');
/** A duration that ffprobe estimates from the first bytes proves nothing. */
const GUESSED = /Estimating duration from bitrate/i;
const CUT_OFF = /partial file|ended prematurely/i;

/** @param isPart true if the file is a part of its source, so that its header may state a longer duration */
async function probeFile(ffmpeg: Ffmpeg, folder: string, file: string, isPart: boolean): Promise<Probed | Failure> {
  const streams = new Map<number, Measured>();
  let format: Fields = {};
  const result = await ffmpeg.run('ffprobe', {
    arguments: ['-v', 'warning', ...safeInput(file), '-show_entries', ENTRIES, '-of', 'compact'],
    folder,
    timeoutMs: 120_000,
    stdout: async (chunks) => {
      for await (const line of linesOf(chunks)) {
        const [section, ...pairs] = line.split('|');
        const fields: Fields = Object.fromEntries(pairs.map((pair) => pair.split('=', 2)));
        if (section === 'format') format = fields;
        const index = Number(fields[section === 'packet' ? 'stream_index' : 'index']);
        const stream = streams.get(index) ?? { start: Infinity, last: -Infinity, end: -Infinity, fields: {} };
        if (section === 'packet') measure(stream, fields);
        else if (section === 'stream') stream.fields = fields;
        else continue;
        streams.set(index, stream);
      }
    },
  });
  if (!result.ok) {
    const failed = `it must be a video file that ffmpeg can read${lastMessage(result.stderr, file)}`;
    return { failed, ...programFault(result, 'UNREADABLE') };
  }
  const zero = Number(format.start_time);
  const start = Number.isFinite(zero) ? zero : Math.min(...[...streams.values()].map((stream) => stream.start));
  const end = Math.max(...[...streams.values()].map((stream) => stream.end));
  const declared = declaredSeconds(format, [...streams.values()]);
  const missing = GUESSED.test(result.stderr) ? 0 : declared - (end - start);
  const isCut = missing > Math.max(0.5, declared * 0.02) || CUT_OFF.test(result.stderr);
  if (isCut && !isPart) return cutOff(declared, end - start);
  const pick = (type: string): ProbedStream | undefined => {
    const found = [...streams].find(
      ([, { fields, end: ends }]) =>
        fields.codec_type === type && fields['disposition:attached_pic'] !== '1' && Number.isFinite(ends),
    );
    return found && { index: found[0], start: found[1].start, end: found[1].end };
  };
  return { start, video: pick('video'), audio: pick('audio') };
}

type Fields = Record<string, string | undefined>;
type Measured = { start: number; last: number; end: number; fields: Fields };

function measure(stream: Measured, fields: Fields): void {
  const time = Number(fields.pts_time);
  if (!Number.isFinite(time)) return;
  const duration = Number(fields.duration_time);
  const guessed = time > stream.last && Number.isFinite(stream.last) ? Math.min(time - stream.last, 1) : 0;
  stream.start = Math.min(stream.start, time);
  stream.end = Math.max(stream.end, time + (Number.isFinite(duration) ? duration : guessed));
  stream.last = Math.max(stream.last, time);
}

/** The shorter of the durations of the container and of its streams. NaN if the header states neither. */
function declaredSeconds(format: Fields, streams: readonly Measured[]): number {
  const ofStreams = streams.map(({ fields }) => Number(fields.duration)).filter((seconds) => seconds > 0);
  return ofStreams.length > 0 ? Math.min(Number(format.duration), Math.max(...ofStreams)) : Number(format.duration);
}

function cutOff(declared: number, measured: number): Failure {
  const [stated, found] = [declared, Math.max(0, measured)].map((seconds) => `${seconds.toFixed(1)} s`);
  return transient('CUT_OFF', `the file is incomplete: its header states ${stated}, but it contains ${found}`);
}

/** The last line of stderr in parentheses, without the file name and memory addresses; empty if there is none. */
export function lastMessage(stderr: string, file: string): string {
  const [last] = stderr.trim().split('\n').slice(-1);
  const plain = (last ?? '')
    .replace(/\[[^\]]*@ 0x[0-9a-f]+\]\s*/g, '')
    .replaceAll(`${file}: `, '')
    .trim();
  return plain === '' ? '' : ` (${plain.slice(0, 200)})`;
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > 65_536) throw new Error('a line of ffprobe must have at most 65,536 characters');
    yield* lines;
  }
  if (rest !== '') yield rest;
}
