// SPDX-License-Identifier: Apache-2.0
// The media of a live origin: a loop of real video and sound, encoded once. Its segments are packaged as CMAF with separate
// sound, as MPEG-TS with separate sound, and as muxed MPEG-TS. Sound ends on frames, up to 21 ms beside the picture.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFragmentTimes } from '../../../../src/mp4/readFragmentTimes.ts';
import { readInit } from '../../../../src/mp4/readInit.ts';
import { readTransport } from '../../../../src/mpegts/readTransport.ts';
import { makeOnce } from '../../../media/makeOnce.ts';
import { withoutEdits } from './moveFragment.ts';

export type Packaging = 'cmaf' | 'ts' | 'muxed';

/** Times in ticks of the rendition. */
export type LoopSegment = {
  readonly bytes: Uint8Array;
  /** Presentation time, after the start of the loop; a few milliseconds beside the border of the picture for sound. */
  readonly start: number;
  readonly duration: number;
};

export type LoopRendition = {
  /** `v0`, `v1`, `a0`. */
  readonly name: string;
  readonly kind: 'video' | 'audio' | 'muxed';
  readonly codecs: string;
  readonly width?: number;
  readonly height?: number;
  readonly timescale: number;
  readonly init?: Uint8Array;
  /** The time stamp of the loop's start in its bytes, in ticks. */
  readonly zero: number;
  readonly segments: readonly LoopSegment[];
  /** Bits per second: the peak over all segments. */
  readonly bandwidth: number;
};

export type MediaLoop = {
  readonly packaging: Packaging;
  /** Of a video segment, in milliseconds: 2000, or 1920 where sound has the same borders as the picture. */
  readonly segmentMs: number;
  /** The number of segments. */
  readonly count: number;
  readonly renditions: readonly LoopRendition[];
};

export const FRAME_RATE = 25;
/** 48 s: 1200 frames of video and 2250 of AAC. */
const COUNT = 24;
const SIZES = [
  [640, 360],
  [320, 180],
] as const;
/** How much later than the border of the picture ffmpeg places it on the sound's clock: AAC priming, and a delay in MPEG-TS. */
const PRIMING = { cmaf: 1024, ts: 1920 + 126_000, muxed: 0 };
const run = promisify(execFile);

async function encode(folder: string, frames: number): Promise<void> {
  const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', '-threads', '2', ...args], { cwd: folder });
  const seconds = ((COUNT + 2) * frames) / FRAME_RATE;
  const hls = [
    '-c',
    'copy',
    '-f',
    'hls',
    '-hls_playlist_type',
    'vod',
    '-hls_time',
    `${(frames / FRAME_RATE - 0.00004).toFixed(6)}`,
  ];
  const separate = ['-map', '0', '-var_stream_map', 'v:0,agroup:s v:1,agroup:s a:0,agroup:s'];
  await ffmpeg(
    ...['-f', 'lavfi', '-i', `testsrc2=s=${SIZES[0].join('x')}:r=${FRAME_RATE}:d=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=f=220:beep_factor=4:r=48000:d=${seconds}`],
    ...['-map', '0:v', '-map', '0:v', '-map', '1:a', '-s:v:1', SIZES[1].join('x')],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '33', '-bf', '0', '-pix_fmt', 'yuv420p'],
    ...['-g', `${frames}`, '-keyint_min', `${frames}`, '-sc_threshold', '0'],
    ...['-c:a', 'aac', '-b:a', '64k', '-ac', '2', 'all.mp4'],
  );
  const input = ['-i', 'all.mp4'];
  const names = (prefix: string, extension: string) => ['-hls_segment_filename', `${prefix}%v-%d.${extension}`];
  const init = ['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'c%v-init.mp4'];
  await ffmpeg(...input, ...separate, ...hls, ...init, ...names('c', 'm4s'), 'c%v.m3u8');
  await ffmpeg(...input, ...separate, ...hls, ...names('t', 'ts'), 't%v.m3u8');
  const both = ['-map', '0:0', '-map', '0:2', '-map', '0:1', '-map', '0:2', '-var_stream_map', 'v:0,a:0 v:1,a:1'];
  await ffmpeg(...input, ...both, ...hls, ...names('m', 'ts'), 'm%v.m3u8');
  await rm(join(folder, 'all.mp4'));
}

const loops = new Map<string, Promise<MediaLoop>>();

export function loadLoop(packaging: Packaging, segmentMs: 2000 | 1920 = 2000): Promise<MediaLoop> {
  const key = `${packaging} ${segmentMs}`;
  const loop = loops.get(key) ?? load(packaging, segmentMs);
  loops.set(key, loop);
  return loop;
}

async function load(packaging: Packaging, segmentMs: number): Promise<MediaLoop> {
  const folder = await mkdtemp(join(tmpdir(), 'midroll-loop-'));
  const frames = (segmentMs * FRAME_RATE) / 1000;
  try {
    await makeOnce(folder, { name: 'live loop', version: 2, count: COUNT, frames }, (draft) => encode(draft, frames));
    const prefix = { cmaf: 'c', ts: 't', muxed: 'm' }[packaging];
    const isMuxed = packaging === 'muxed';
    const tracks = (await readInits(folder)).slice(0, isMuxed ? 2 : 3);
    const renditions = tracks.map(async ({ codec, init, timescale }, index): Promise<LoopRendition> => {
      const extension = packaging === 'cmaf' ? 'm4s' : 'ts';
      // The first segment contains the encoder's priming.
      const numbers = Array.from({ length: COUNT + 1 }, (_, at) => at + 1);
      const names = numbers.map((number) => join(folder, `${prefix}${index}-${number}.${extension}`));
      const files = await Promise.all(names.map((name) => readFile(name)));
      const kind = index === 2 ? 'audio' : isMuxed ? 'muxed' : 'video';
      const shape = index === 2 ? {} : { width: SIZES[index]![0], height: SIZES[index]![1] };
      const common = { name: index === 2 ? 'a0' : `v${index}`, kind, ...shape } as const;
      const codecs = isMuxed ? `${codec},mp4a.40.2` : codec;
      const scale = packaging === 'cmaf' ? timescale : 90_000;
      const shift = packaging === 'cmaf' ? init.editShift : 0;
      const times = files.map((bytes) => (packaging === 'cmaf' ? decodeTime(bytes) + shift : firstTime(bytes, index)));
      const nominal = (segmentMs * scale) / 1000;
      const own = kind === 'audio' ? nominal + PRIMING[packaging] : times[0]!;
      const segments = files.slice(0, COUNT).map((bytes, at) => {
        return { bytes, start: times[at]! - own, duration: times[at + 1]! - times[at]! };
      });
      const total = times[COUNT]! - times[0]!;
      if (total !== COUNT * nominal) throw new Error(`${common.name} of the loop lasts ${total} of ${COUNT * nominal}`);
      const bandwidth = Math.max(...segments.map(({ bytes }) => Math.ceil((bytes.length * 8000) / segmentMs)));
      const isCmaf = packaging === 'cmaf';
      return {
        ...{ ...common, codecs, timescale: scale, segments, bandwidth },
        // As written: the edit list is removed.
        ...{ zero: own - shift },
        ...(isCmaf ? { init: withoutEdits(init.bytes) } : {}),
      };
    });
    return { packaging, segmentMs, count: COUNT, renditions: await Promise.all(renditions) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readInits(folder: string) {
  return Promise.all(
    [0, 1, 2].map(async (index) => {
      const bytes = await readFile(join(folder, `c${index}-init.mp4`));
      const [track] = readInit(bytes)!;
      return { codec: track!.codec!, timescale: track!.timescale, init: { bytes, editShift: track!.editShift } };
    }),
  );
}

const decodeTime = (bytes: Uint8Array): number => readFragmentTimes(bytes).fragments[0]!.decodeTime;

/** The time stamp of the picture's or the sound's first packet. */
function firstTime(bytes: Uint8Array, index: number): number {
  const isAudio = (streamId: number) => streamId >= 0xc0 && streamId < 0xe0;
  return readTransport(bytes)!.packets.find(({ streamId }) => isAudio(streamId) === (index === 2))!.pts!;
}
