// Hands what a viewer was sent to ffmpeg, span by span, and asks how much came out and what it complained of.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { SeenSegment } from '../laws/readBack.ts';
import type { Viewer } from './viewer.ts';

export type DecodedSpan = {
  /** Addresses of its segments: spans that are sent again and again are decoded once. */
  readonly uris: readonly string[];
  /** As its EXTINFs say. */
  readonly seconds: number;
  /** Pictures and AAC frames that came out, by the kind of the stream. */
  readonly frames: Readonly<Record<string, number>>;
  readonly complaints: string;
};

const mapUrl = ({ map }: SeenSegment): string | undefined => /URI="([^"]+)"/.exec(map)?.[1];

/** The spans of a rung that were listed from their first to their last segment. */
function wholeSpans({ listed }: Viewer, rung: string): SeenSegment[][] {
  const spans = new Map<number, SeenSegment[]>();
  for (const segment of [...listed.get(rung)!.values()].sort((a, b) => a.number - b.number)) {
    spans.set(segment.discontinuity, [...(spans.get(segment.discontinuity) ?? []), segment]);
  }
  return [...spans.values()].slice(1, -1);
}

type Decoded = Pick<DecodedSpan, 'frames' | 'complaints'>;

async function decode(bytes: Uint8Array): Promise<Decoded> {
  const show = ['-count_frames', '-show_entries', 'stream=codec_type,nb_read_frames', '-of', 'csv=p=0'];
  const probe = spawn('ffprobe', ['-v', 'error', '-threads', '1', ...show, '-']);
  probe.stdin.on('error', () => {}); // it has read enough, or died: its complaints say which
  probe.stdin.end(bytes);
  const [counted, complaints] = await Promise.all([text(probe.stdout), text(probe.stderr)]);
  const lines = counted.split('\n').filter((line) => line !== '');
  return {
    frames: Object.fromEntries(lines.map((line) => [line.split(',')[0], Number(line.split(',')[1])])),
    complaints,
  };
}

/** By their hash: viewers of one video are sent the same bytes, and what decodes once decodes always. */
const known = new Map<string, Promise<Decoded>>();
function decodeOnce(bytes: Uint8Array): Promise<Decoded> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const decoding = known.get(hash) ?? decode(bytes);
  known.set(hash, decoding);
  return decoding;
}

/** @throws when the viewer has not fetched what was listed */
export async function decodeSpans(viewer: Viewer, rung: string): Promise<DecodedSpan[]> {
  const distinct = new Map(wholeSpans(viewer, rung).map((span) => [span.map(({ uri }) => uri).join(), span]));
  const decoded: DecodedSpan[] = [];
  for (const span of distinct.values()) {
    const map = mapUrl(span[0]!);
    const uris = span.map(({ uri }) => uri);
    const pieces = (map === undefined ? uris : [map, ...uris]).map((uri) => {
      const bytes = viewer.media.get(uri);
      if (bytes === undefined) throw new Error(`${uri} was listed and not fetched`);
      return bytes;
    });
    const seconds = span.reduce((sum, { duration }) => sum + duration, 0) / 1e6;
    decoded.push({ uris, seconds, ...(await decodeOnce(Buffer.concat(pieces))) });
  }
  return decoded;
}
