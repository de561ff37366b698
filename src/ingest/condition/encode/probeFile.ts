// SPDX-License-Identifier: Apache-2.0
// Finds the streams of a saved file and their duration. Durations are measured on packets, because headers are often wrong.

import type { Ffmpeg } from '../../ports.ts';
import { type Failure, programFault } from '../fetch/conditionFailure.ts';
import { safeInput } from './ffmpegArguments.ts';

type ProbedStream = {
  readonly index: number;
  /** In seconds, on the timeline of the file. */
  readonly start: number;
  readonly end: number;
};
export type Probed = {
  /** The time of the file that ffmpeg moves to zero. */
  readonly start: number;
  readonly video?: ProbedStream;
  readonly audio?: ProbedStream;
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
export async function probeFile(
  ffmpeg: Ffmpeg,
  folder: string,
  file: string,
  isPart: boolean,
): Promise<Probed | Failure> {
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
  const [video, audio] = [pick('video'), pick('audio')];
  return { start, ...(video ? { video } : {}), ...(audio ? { audio } : {}) };
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

const cutOff = (declared: number, measured: number): Failure => ({
  failed: `the file is incomplete: its header states ${declared.toFixed(1)} s, but it contains ${Math.max(0, measured).toFixed(1)} s`,
  fault: 'CUT_OFF',
  isPermanent: false,
});

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
