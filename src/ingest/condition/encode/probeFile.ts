// What a saved creative holds, measured by its packets rather than believed from its header.

import type { Ffmpeg } from '../../ports.ts';
import { type Failure, programFault } from '../fetch/conditionFailure.ts';
import { safeInput } from './encodeArguments.ts';

type ProbedStream = {
  readonly index: number /** Seconds on the file's own time. */;
  readonly start: number;
  readonly end: number;
};
export type Probed = {
  /** The zero that ffmpeg moves the file's time to. */
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
/** A length that was reckoned from the first bytes says nothing. */
const GUESSED = /Estimating duration from bitrate/i;
const CUT_OFF = /partial file|ended prematurely/i;

/** @param isPart when its header may tell of more than the file holds, and rightly so */
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
    const failed = `it is no video file that can be read${lastMessage(result.stderr, file)}`;
    return { failed, ...programFault(result, 'UNREADABLE') };
  }
  const zero = Number(format.start_time);
  const start = Number.isFinite(zero) ? zero : Math.min(...[...streams.values()].map((stream) => stream.start));
  const end = Math.max(...[...streams.values()].map((stream) => stream.end));
  const told = toldSeconds(format, [...streams.values()]);
  const missing = GUESSED.test(result.stderr) ? 0 : told - (end - start);
  const isCut = missing > Math.max(0.5, told * 0.02) || CUT_OFF.test(result.stderr);
  if (isCut && !isPart) return cutOff(told, end - start);
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
  const told = Number(fields.duration_time);
  const guessed = time > stream.last && Number.isFinite(stream.last) ? Math.min(time - stream.last, 1) : 0;
  stream.start = Math.min(stream.start, time);
  stream.end = Math.max(stream.end, time + (Number.isFinite(told) ? told : guessed));
  stream.last = Math.max(stream.last, time);
}

/** Headers say it twice, and what is whole is what one of them says; NaN where neither does. */
function toldSeconds(format: Fields, streams: readonly Measured[]): number {
  const ofStreams = streams.map(({ fields }) => Number(fields.duration)).filter((seconds) => seconds > 0);
  return ofStreams.length > 0 ? Math.min(Number(format.duration), Math.max(...ofStreams)) : Number(format.duration);
}

const cutOff = (told: number, measured: number): Failure => ({
  failed: `the file is cut off: it says ${told.toFixed(1)} s and holds ${Math.max(0, measured).toFixed(1)} s`,
  fault: 'CUT_OFF',
  isPermanent: false,
});

/** The last thing that a program said, without the file's name and the addresses of its inner parts. */
export function lastMessage(said: string, file: string): string {
  const [last] = said.trim().split('\n').slice(-1);
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
    if (rest.length > 65_536) throw new Error('a line without an end');
    yield* lines;
  }
  if (rest !== '') yield rest;
}
