// SPDX-License-Identifier: Apache-2.0
// Small videos and creatives encoded by ffmpeg and cut by its own packager: audio segments end on AAC frame borders.
import { join } from 'node:path';
import { encodeOnce } from '../media/encodeOnce.ts';

export type VideoShape = {
  readonly seconds: number;
  /** The frame rate in ffmpeg's notation: 25, 30000/1001 … */
  readonly rate?: string;
  readonly sampleRate?: number;
  readonly framesPerSegment?: number;
  readonly qualities?: 1 | 2;
  /** Has B-frames, for which ffmpeg writes edit lists. */
  readonly isReordered?: boolean;
  /** `ts` muxes audio and video in one file. */
  readonly container?: 'fmp4' | 'ts' | 'dash';
  /** ffmpeg muxer options for `ts`: PIDs of its tables and streams. */
  readonly layout?: string;
};

const source = (seconds: number, rate: string, sampleRate: number, tone: number): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=${rate}:d=${seconds}`],
  ...['-f', 'lavfi', '-i', `sine=f=${tone}:r=${sampleRate}:d=${seconds}`],
];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-sc_threshold', '0', '-pix_fmt', 'yuv420p'];
const x264 = [...h264, '-bf', '0'];

const ratio = (rate: string): number => {
  const [n, d = '1'] = rate.split('/');
  return Number(n) / Number(d);
};

/** @returns the path of the manifest at the origin */
export async function makeVideo(folder: string, name: string, shape: VideoShape): Promise<string> {
  const {
    seconds,
    rate = '25',
    sampleRate = 48_000,
    container = 'fmp4',
    qualities = 1,
    isReordered = false,
    layout,
  } = shape;
  const { framesPerSegment = Math.round(2 * ratio(rate)) } = shape;
  const isMuxed = container === 'ts';
  const sizes = ['160x90', '128x72'].slice(0, qualities);
  const maps = sizes.flatMap((size, index) => [
    ...['-map', '0:v', `-s:v:${index}`, size, ...(isMuxed ? ['-map', '1:a'] : [])],
  ]);
  const encoded = [
    ...(isReordered ? [...h264, '-bf', '2', '-b_strategy', '0'] : x264),
    '-g',
    `${framesPerSegment}`,
    '-keyint_min',
    `${framesPerSegment}`,
    '-c:a',
    'aac',
    '-ac',
    '2',
  ];
  const input = source(seconds, rate, sampleRate, 330);
  const sound = isMuxed ? [] : ['-map', '1:a'];
  const segmentSeconds = (framesPerSegment / ratio(rate)).toFixed(6);
  if (container === 'dash') {
    const sets = ['-f', 'dash', '-seg_duration', segmentSeconds, '-use_template', '1', '-use_timeline', '1'];
    await encodeOnce(join(folder, name), [...input, ...maps, ...sound, ...encoded, ...sets, 'manifest.mpd']);
    return `/${name}/manifest.mpd`;
  }
  const variants = sizes.map((_, index) => (isMuxed ? `v:${index},a:${index}` : `v:${index},agroup:sound`));
  await encodeOnce(join(folder, name), [
    ...[...input, ...maps, ...sound, ...encoded],
    // A little less than a segment: rounding must not move a border to the next key frame. It adds up in the borders of the sound.
    ...[
      '-f',
      'hls',
      '-hls_playlist_type',
      'vod',
      '-hls_time',
      `${Number(segmentSeconds) - (seconds > 100 ? 0.00004 : 0.001)}`,
    ],
    ...['-hls_segment_type', isMuxed ? 'mpegts' : 'fmp4', '-master_pl_name', 'master.m3u8'],
    ...['-var_stream_map', [...variants, ...(isMuxed ? [] : ['a:0,agroup:sound'])].join(' ')],
    ...(layout === undefined ? [] : ['-hls_segment_options', layout]),
    ...['-hls_segment_filename', `r%v-%d.${isMuxed ? 'ts' : 'm4s'}`, 'r%v.m3u8'],
  ]);
  return `/${name}/master.m3u8`;
}

/** Makes a progressive MP4. @returns its path */
export async function makeSpot(folder: string, name: string, seconds: number, tone = 660): Promise<string> {
  const input = source(seconds, '30', 44_100, tone);
  await encodeOnce(folder, [...input, ...x264, '-c:a', 'aac', '-movflags', '+faststart', `${name}.mp4`]);
  return `/${name}.mp4`;
}
