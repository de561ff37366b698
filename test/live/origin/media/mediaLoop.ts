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

/** What is encoded. Each loop lasts a whole number of audio frames. */
export type LoopShape = {
  /** Of a video segment, in milliseconds. */
  readonly segmentMs: number;
  /** The number of segments. */
  readonly count: number;
  readonly frameRate: { readonly n: number; readonly d: number };
  readonly video: 'libx264' | 'libx265';
  readonly audio: 'aac' | 'ac3';
  readonly sampleRate: 48_000 | 44_100;
  readonly channels: 2 | 6;
  /** A flash and a beep each second, instead of a test picture and a tone. */
  readonly flashes?: true;
};

const base: LoopShape = {
  ...{ segmentMs: 2000, count: 24, frameRate: { n: 25, d: 1 } },
  ...{ video: 'libx264', audio: 'aac', sampleRate: 48_000, channels: 2 },
};
/** 48 s: 1200 frames of video and 2250 of AAC. */
export const loopShapes = {
  base,
  /** Sound has the same borders as the picture. */
  aligned: { ...base, segmentMs: 1920 },
  long: { ...base, segmentMs: 4000, count: 12 },
  ntsc: { ...base, segmentMs: 2002, count: 32, frameRate: { n: 30_000, d: 1001 } },
  cd: { ...base, segmentMs: 1920, count: 32, sampleRate: 44_100 },
  surround: { ...base, audio: 'ac3', channels: 6 },
  hevc: { ...base, video: 'libx265' },
  flashes: { ...base, flashes: true },
} as const satisfies Readonly<Record<string, LoopShape>>;
export type LoopShapeName = keyof typeof loopShapes;

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
  readonly shape: LoopShape;
  readonly segmentMs: number;
  readonly count: number;
  readonly renditions: readonly LoopRendition[];
};

const SIZES = [
  [640, 360],
  [320, 180],
] as const;
/** Samples. */
const PRIMING = { aac: 1024, ac3: 256 };
/** How much later than the border of the picture ffmpeg places it on the sound's clock, in ticks: priming, and a delay in MPEG-TS. */
const delayOf = (packaging: Packaging, { audio, sampleRate }: LoopShape): number =>
  packaging === 'cmaf' ? PRIMING[audio] : Math.round((PRIMING[audio] * 90_000) / sampleRate) + 126_000;
const framesOf = ({ segmentMs, frameRate: { n, d } }: LoopShape): number => Math.round((segmentMs * n) / (1000 * d));
const run = promisify(execFile);

/** Each second, a flash of two frames and a beep start at 0.52 s, on a frame border at 25 frames per second. */
export const flashSource = (seconds: number, size: string, rate: string, sampleRate: number): string[] => {
  const flash = "drawbox=c=white:t=fill:enable='between(mod(t,1),0.5199,0.5999)'";
  return [
    ...['-f', 'lavfi', '-i', `color=black:s=${size}:r=${rate}:d=${seconds},${flash}`],
    ...['-f', 'lavfi', '-i', `aevalsrc='0.7*sin(2000*PI*t)*between(mod(t,1),0.52,0.58)':s=${sampleRate}:d=${seconds}`],
  ];
};

async function encode(folder: string, shape: LoopShape): Promise<void> {
  const { count, segmentMs, frameRate, video, audio, sampleRate, channels } = shape;
  const [frames, rate] = [framesOf(shape), `${frameRate.n}/${frameRate.d}`];
  const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', '-threads', '2', ...args], { cwd: folder });
  const seconds = ((count + 2) * segmentMs) / 1000;
  const hls = [
    '-c',
    'copy',
    '-f',
    'hls',
    '-hls_playlist_type',
    'vod',
    '-hls_time',
    `${(segmentMs / 1000 - 0.00004).toFixed(6)}`,
  ];
  const separate = ['-map', '0', '-var_stream_map', 'v:0,agroup:s v:1,agroup:s a:0,agroup:s'];
  await ffmpeg(
    ...(shape.flashes
      ? flashSource(seconds, SIZES[0].join('x'), rate, sampleRate)
      : [
          ...['-f', 'lavfi', '-i', `testsrc2=s=${SIZES[0].join('x')}:r=${rate}:d=${seconds}`],
          ...['-f', 'lavfi', '-i', `sine=f=220:beep_factor=4:r=${sampleRate}:d=${seconds}`],
        ]),
    ...['-map', '0:v', '-map', '0:v', '-map', '1:a', '-s:v:1', SIZES[1].join('x')],
    ...['-c:v', video, '-preset', video === 'libx264' ? 'veryfast' : 'ultrafast', '-crf', '33', '-bf', '0'],
    ...['-pix_fmt', 'yuv420p', '-g', `${frames}`, '-keyint_min', `${frames}`, '-sc_threshold', '0'],
    ...(video === 'libx265' ? ['-tag:v', 'hvc1', '-x265-params', 'scenecut=0:open-gop=0:log-level=error'] : []),
    ...['-c:a', audio, '-b:a', channels === 2 ? '64k' : '192k', '-ac', `${channels}`, 'all.mp4'],
  );
  const input = ['-i', 'all.mp4'];
  const names = (prefix: string, extension: string) => ['-hls_segment_filename', `${prefix}%v-%d.${extension}`];
  const init = ['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'c%v-init.mp4'];
  // `-c copy` keeps hvc1 only if it is stated.
  if (video === 'libx265') init.push('-tag:v', 'hvc1');
  await ffmpeg(...input, ...separate, ...hls, ...init, ...names('c', 'm4s'), 'c%v.m3u8');
  await ffmpeg(...input, ...separate, ...hls, ...names('t', 'ts'), 't%v.m3u8');
  const both = ['-map', '0:0', '-map', '0:2', '-map', '0:1', '-map', '0:2', '-var_stream_map', 'v:0,a:0 v:1,a:1'];
  await ffmpeg(...input, ...both, ...hls, ...names('m', 'ts'), 'm%v.m3u8');
  await rm(join(folder, 'all.mp4'));
}

const loops = new Map<string, Promise<MediaLoop>>();

export function loadLoop(packaging: Packaging, shape: LoopShapeName = 'base'): Promise<MediaLoop> {
  const key = `${packaging} ${shape}`;
  const loop = loops.get(key) ?? load(packaging, loopShapes[shape]);
  loops.set(key, loop);
  return loop;
}

async function load(packaging: Packaging, shape: LoopShape): Promise<MediaLoop> {
  const { segmentMs, count } = shape;
  const folder = await mkdtemp(join(tmpdir(), 'midroll-loop-'));
  try {
    await makeOnce(folder, { name: 'live loop', version: 3, ...shape }, (draft) => encode(draft, shape));
    const prefix = { cmaf: 'c', ts: 't', muxed: 'm' }[packaging];
    const isMuxed = packaging === 'muxed';
    const tracks = await readInits(folder);
    const renditions = tracks
      .slice(0, isMuxed ? 2 : 3)
      .map(async ({ codec, init, timescale }, index): Promise<LoopRendition> => {
        const extension = packaging === 'cmaf' ? 'm4s' : 'ts';
        // The first segment contains the encoder's priming.
        const numbers = Array.from({ length: count + 1 }, (_, at) => at + 1);
        const names = numbers.map((number) => join(folder, `${prefix}${index}-${number}.${extension}`));
        const files = await Promise.all(names.map((name) => readFile(name)));
        const kind = index === 2 ? 'audio' : isMuxed ? 'muxed' : 'video';
        const size = index === 2 ? {} : { width: SIZES[index]![0], height: SIZES[index]![1] };
        const common = { name: index === 2 ? 'a0' : `v${index}`, kind, ...size } as const;
        const codecs = isMuxed ? `${codec},${tracks[2]!.codec}` : codec;
        const scale = packaging === 'cmaf' ? timescale : 90_000;
        const shift = packaging === 'cmaf' ? init.editShift : 0;
        const times = files.map((bytes) =>
          packaging === 'cmaf' ? decodeTime(bytes) + shift : firstTime(bytes, index),
        );
        const nominal = (segmentMs * scale) / 1000;
        const own = kind === 'audio' ? nominal + delayOf(packaging, shape) : times[0]!;
        const segments = files.slice(0, count).map((bytes, at) => {
          return { bytes, start: times[at]! - own, duration: times[at + 1]! - times[at]! };
        });
        const total = times[count]! - times[0]!;
        if (total !== count * nominal)
          throw new Error(`${common.name} of the loop lasts ${total} of ${count * nominal}`);
        const bandwidth = Math.max(...segments.map(({ bytes }) => Math.ceil((bytes.length * 8000) / segmentMs)));
        const isCmaf = packaging === 'cmaf';
        return {
          ...{ ...common, codecs, timescale: scale, segments, bandwidth },
          // As written: the edit list is removed.
          ...{ zero: own - shift },
          ...(isCmaf ? { init: withoutEdits(init.bytes) } : {}),
        };
      });
    return { packaging, shape, segmentMs, count, renditions: await Promise.all(renditions) };
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
  // AC-3 is in private_stream_1.
  const isAudio = (streamId: number) => (streamId >= 0xc0 && streamId < 0xe0) || streamId === 0xbd;
  return readTransport(bytes)!.packets.find(({ streamId }) => isAudio(streamId) === (index === 2))!.pts!;
}
