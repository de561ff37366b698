// SPDX-License-Identifier: Apache-2.0
// Encodes pictures with ffmpeg. The content of each segment is computed first and forced on the encoder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AAC_FRAME, adBorders, audioBorder, secondsToFrames } from '../../src/timeline/asset/frameGrid.ts';
import { createCanvas } from './canvas.ts';
import type { Picture } from './picture.ts';

export const rate = { n: 25, d: 1 };
export const sampleRate = 48_000;
export const qualities = [
  { width: 640, height: 360, crf: 28 },
  { width: 384, height: 216, crf: 29 },
] as const;

const text = 'font=DejaVu Sans:fontcolor=white';
const shadow = 'shadowcolor=black@0.45:shadowx=2:shadowy=2';
const box = 'box=1:boxcolor=black@0.55:boxborderw=7';

const videoText = ({ label, seconds }: Picture): string =>
  `drawtext=${text}:fontsize=22:x=18:y=h-40:${shadow}:text='${label}',` +
  `drawtext=${text}:fontsize=22:x=w-tw-18:y=h-40:${shadow}:text='%{eif\\:floor(t)\\:d} / ${seconds} s'`;

const spotText = ({ label, seconds }: Picture): string =>
  `drawtext=${text}:fontsize=16:x=20:y=18:${box}:text='Advertisement',` +
  `drawtext=${text}:fontsize=32:x=(w-tw)/2:y=18:${box}:text='${label}',` +
  `drawtext=${text}:fontsize=28:x=w-tw-20:y=18:${box}:text='%{eif\\:ceil(${seconds}-t)\\:d} s'`;

const colours = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setsar=1';
/** The parameter sets of conditioned ads: a decoder that keeps the first set decodes the whole channel. */
const adParameterSets = ['-x264-params', 'stitchable=1:ref=1:weightp=1:chroma-qp-offset=2'];
const h264 = [
  ['-c:v', 'libx264', '-preset', 'veryslow', '-profile:v', 'high', '-sc_threshold', '0', '-threads', '2'],
  ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
  ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
].flat();

async function ffmpeg(args: readonly string[], picture: Picture, frames: number): Promise<void> {
  const child = spawn('ffmpeg', ['-v', 'error', '-y', ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(child, 'close');
  const { width, height } = qualities[0];
  for (let frame = 0; frame < frames; frame += 1) {
    const canvas = createCanvas(width, height);
    picture.paint(canvas, (frame * rate.d) / rate.n);
    if (!child.stdin.write(canvas.pixels)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg exited with ${code} on ${picture.name}`);
}

/** The sound as interleaved 32-bit floats, left and right. */
function samples(picture: Picture, count: number): Float32Array {
  const both = new Float32Array(count * 2);
  for (let i = 0; i < count; i += 1) {
    const [left, right] = picture.sound(i / sampleRate);
    both[2 * i] = left;
    both[2 * i + 1] = right;
  }
  return both;
}

async function inputs(picture: Picture, count: number, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'sound.f32');
  await writeFile(file, samples(picture, count));
  const { width, height } = qualities[0];
  const video = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', `${rate.n}/${rate.d}`];
  return [...video, '-i', 'pipe:0', '-f', 'f32le', '-ar', `${sampleRate}`, '-ac', '2', '-i', file];
}

/**
 * Writes one fragmented MP4 per quality (a fragment is a segment) and one file per audio segment into `folder`. The loudness
 * is about −23 LUFS, as that of conditioned ads. The first AAC frame is the priming of the encoder, so the sound starts at
 * sample 1024.
 */
export async function encodeVideo(picture: Picture, folder: string): Promise<void> {
  const frames = secondsToFrames(picture.seconds, rate);
  const borders = adBorders(frames, rate);
  const aacFrames = audioBorder(frames, rate, sampleRate);
  const cuts = borders.slice(1, -1).map((border) => audioBorder(border, rate, sampleRate) * AAC_FRAME - AAC_FRAME / 2);
  const keys = borders.slice(0, -1).map((border) => `eq(n,${border})`);
  const [large, small] = qualities;
  const graph =
    `[0:v]${videoText(picture)},${colours},split[v0][s];[s]scale=${small.width}:${small.height}:flags=lanczos,setsar=1[v1];` +
    `[1:a]atrim=start_sample=${AAC_FRAME}:end_sample=${aacFrames * AAC_FRAME},asetpts=N/SR/TB,volume=0.55[a]`;
  const video = (label: string, crf: number): string[] => [
    ...[
      '-map',
      label,
      ...h264,
      ...adParameterSets,
      '-bf',
      '0',
      '-crf',
      `${crf}`,
      '-g',
      '250',
      '-force_key_frames',
      `expr:${keys.join('+')}`,
    ],
    ...['-video_track_timescale', `${rate.n * 1000}`, '-use_editlist', '0'],
    ...['-movflags', '+frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets+skip_trailer'],
  ];
  const audio = ['-map', '[a]', '-c:a', 'aac', '-b:a', '40k', '-map_metadata', '-1', '-fflags', '+bitexact'];
  const segments = [
    '-f',
    'segment',
    '-segment_format',
    'mp4',
    '-segment_times',
    cuts.map((at) => at / sampleRate).join(),
  ];
  const flags = 'movflags=+frag_custom+dash+delay_moov+default_base_moof+skip_sidx';
  await ffmpeg(
    [
      ...(await inputs(picture, aacFrames * AAC_FRAME, folder)),
      ...['-filter_complex', graph],
      ...[...video('[v0]', large.crf), join(folder, 'v0.mp4'), ...video('[v1]', small.crf), join(folder, 'v1.mp4')],
      ...[...audio, ...segments, '-segment_format_options', flags, '-segment_start_number', '1'],
      ...['-segment_header_filename', join(folder, 'a0-init.mp4'), join(folder, 'a0-%d.mp4')],
    ],
    picture,
    frames,
  );
}

/** Writes an ad as one progressive MP4, as ad servers return them. */
export async function encodeSpot(picture: Picture, file: string): Promise<void> {
  const folder = `${file}.work`;
  const videoRate = Math.floor(2100 / picture.seconds) - 48; // kbit/s, for a file of about 280 kB at most
  const encoded = [
    ...[...h264, '-crf', '27', '-maxrate', `${videoRate}k`, '-bufsize', `${2 * videoRate}k`],
    ...['-c:a', 'aac', '-b:a', '48k', '-movflags', '+faststart', file],
  ];
  const graph = `[0:v]${spotText(picture)},${colours}[v]`;
  const from = await inputs(picture, picture.seconds * sampleRate, folder);
  const maps = ['-filter_complex', graph, '-map', '[v]', '-map', '1:a'];
  await ffmpeg([...from, ...maps, ...encoded], picture, secondsToFrames(picture.seconds, rate));
  await rm(folder, { recursive: true });
}
