// SPDX-License-Identifier: Apache-2.0
// Decodes the segments of a viewer with ffmpeg, span by span, and returns the frame counts and the decoder's errors.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { isOurs, mediaName, type SeenSegment } from '../laws/readBack.ts';
import { clearMap, clearSegment } from './decrypt.ts';
import type { Viewer } from './viewer.ts';

export type DecodedSpan = {
  /** Names of its segments (`mediaName`). A span that is served several times is decoded once. */
  readonly uris: readonly string[];
  /** The sum of its EXTINF durations. */
  readonly seconds: number;
  /** Decoded video and AAC frames, by type of stream. */
  readonly frames: Readonly<Record<string, number>>;
  /** Codec, and size or sample rate and channels, by type of stream. */
  readonly formats: Readonly<Record<string, string>>;
  /** What ffprobe wrote to stderr. */
  readonly decoderErrors: string;
};

/** @param segments in the order of their numbers */
export function spansOf(segments: readonly SeenSegment[]): SeenSegment[][] {
  const spans = new Map<number, SeenSegment[]>();
  for (const segment of segments) {
    spans.set(segment.discontinuity, [...(spans.get(segment.discontinuity) ?? []), segment]);
  }
  return [...spans.values()];
}

/**
 * Audio frames by which a clip of ours begins earlier and ends later than its span, as the folder of its rung states (decision
 * 14).
 */
export function overlapOf({ uris }: DecodedSpan): number {
  const last = uris.at(-1)!;
  const [, lead = 0, trail = 0] = (isOurs(last) && /\/\w+-([0-4])(?:-\d+-([0-4]))?\/[^/]+$/.exec(last)) || [];
  return (Number(lead) + Number(trail)) / 4;
}

/** The spans of a rung that the viewer saw from their first to their last segment. */
const wholeSpans = ({ listed }: Viewer, rung: string): SeenSegment[][] =>
  spansOf([...listed.get(rung)!.values()].sort((a, b) => a.number - b.number)).slice(1, -1);

type Decoded = Pick<DecodedSpan, 'frames' | 'formats' | 'decoderErrors'>;

type ProbedStream = {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly width?: number;
  readonly height?: number;
  readonly sample_rate?: string;
  readonly channels?: number;
  readonly nb_read_frames: string;
};

async function decode(bytes: Uint8Array): Promise<Decoded> {
  const facts = 'codec_type,codec_name,width,height,sample_rate,channels,nb_read_frames';
  const show = ['-count_frames', '-show_entries', `stream=${facts}`, '-of', 'json'];
  const probe = spawn('ffprobe', ['-v', 'error', '-threads', '1', ...show, '-']);
  probe.stdin.on('error', () => {}); // ffprobe may close its input early; if it fails, stderr states the reason
  probe.stdin.end(bytes);
  const [counted, decoderErrors] = await Promise.all([text(probe.stdout), text(probe.stderr)]);
  const { streams = [] } = JSON.parse(counted || '{}') as { streams?: readonly ProbedStream[] };
  const formatOf = ({ codec_name, width, height, sample_rate, channels }: ProbedStream): string =>
    width === undefined ? `${codec_name} ${sample_rate} ${channels}` : `${codec_name} ${width}x${height}`;
  return {
    frames: Object.fromEntries(streams.map((one) => [one.codec_type, Number(one.nb_read_frames)])),
    formats: Object.fromEntries(streams.map((one) => [one.codec_type, formatOf(one)])),
    decoderErrors,
  };
}

/** Results by hash of the bytes: viewers of one video receive the same bytes. */
const results = new Map<string, Promise<Decoded>>();
function decodeOnce(bytes: Uint8Array): Promise<Decoded> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const decoding = results.get(hash) ?? decode(bytes);
  results.set(hash, decoding);
  return decoding;
}

/** Decrypts AES-128. @throws when the viewer did not fetch a listed segment */
export const decodeSpans = (viewer: Viewer, rung: string): Promise<DecodedSpan[]> =>
  decodeEach(wholeSpans(viewer, rung), viewer.media);

/** @param media the bytes of segments, init sections and keys, by the names of `mediaName` */
export async function decodeEach(
  spans: readonly SeenSegment[][],
  media: ReadonlyMap<string, Uint8Array>,
): Promise<DecodedSpan[]> {
  const distinct = new Map(spans.map((span) => [span.map(mediaName).join(), span]));
  const decoded: DecodedSpan[] = [];
  for (const span of distinct.values()) {
    const uris = span.map(mediaName);
    const map = clearMap(span[0]!, media);
    const pieces = [...(map === undefined ? [] : [map]), ...span.map((segment) => clearSegment(segment, media))];
    const seconds = span.reduce((sum, { duration }) => sum + duration, 0) / 1e6;
    decoded.push({ uris, seconds, ...(await decodeOnce(Buffer.concat(pieces))) });
  }
  return decoded;
}
