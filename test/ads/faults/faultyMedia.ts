// SPDX-License-Identifier: Apache-2.0
// Creatives with unusual or faulty media, made by ffmpeg, as small as possible.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeOnce } from '../../media/encodeOnce.ts';

const picture = (seconds: number, size = '160x90', rate = '25'): string[] => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
];
const sound = (seconds: number, layout = 'stereo'): string[] => [
  ...['-f', 'lavfi', '-i', `aevalsrc=${layout === '5.1' ? '0.1|0.1|0.1|0.1|0.1|0.1' : '0.1*sin(2000*t)'}:d=${seconds}`],
];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

const recipes = {
  plain: [...picture(3), ...sound(3), ...x264],
  long: [...picture(8), ...sound(8), ...x264],
  hevc4k: [...picture(3, '3840x2160', '5'), ...sound(3), '-c:v', 'libx265', '-preset', 'ultrafast', '-c:a', 'aac'],
  vertical: [...picture(3, '90x160'), ...sound(3), ...x264],
  silent: [...picture(3), ...x264],
  surround: [...picture(3), ...sound(3, '5.1'), ...x264],
  /** The time between frames increases. */
  variable: [
    ...picture(3),
    ...sound(3),
    ...x264,
    '-vf',
    "setpts='PTS+0.6*PTS*N/75/TB*TB',trim=end=3",
    '-fps_mode',
    'vfr',
  ],
  slowMotion: [...picture(3, '160x90', '12'), ...sound(3), ...x264],
  short: [...picture(0.4), ...sound(0.4), ...x264],
  tenMinutes: [...picture(610, '32x18', '1'), ...sound(610), ...x264, '-ar', '8000'],
  webm: [...picture(3), ...sound(3), '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
} as const;

export const faultyMedia: readonly string[] = Object.keys(recipes);

/** Adds a rotation matrix to the first tkhd (ISO/IEC 14496-12 §8.3.2), as phones do for videos taken upright. */
function rotated(file: Buffer): Buffer {
  const turned = Buffer.from(file);
  const matrix = turned.indexOf('tkhd') + 44;
  [0, 0x10000, 0, -0x10000, 0, 0, 90 * 0x10000, 0, 0x40000000].forEach((value, index) => {
    turned.writeInt32BE(value, matrix + 4 * index);
  });
  return turned;
}

/** @param names of the videos to make; the files that are not valid videos are always made */
export async function makeFaultyMedia(folder: string, names: readonly string[]): Promise<void> {
  for (const [name, args] of Object.entries(recipes)) {
    if (name === 'plain' || names.includes(name)) {
      await encodeOnce(folder, [...args, `${name}.${name === 'webm' ? 'webm' : 'mp4'}`]);
    }
  }
  await writeFile(join(folder, 'rotated.mp4'), rotated(await readFile(join(folder, 'plain.mp4'))));
  const faststart = ['-i', 'plain.mp4', '-c', 'copy', '-movflags', '+faststart', 'faststart.mp4'];
  await encodeOnce(folder, faststart, ['plain.mp4']);
  const whole = await readFile(join(folder, 'faststart.mp4'));
  await writeFile(join(folder, 'cut.mp4'), whole.subarray(0, Math.floor(whole.length / 2)));
  await writeFile(join(folder, 'nothing.mp4'), '');
  await writeFile(join(folder, 'page.mp4'), '<!doctype html><html><body>Gone.</body></html>');
  await writeFile(join(folder, 'noise.mp4'), Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 251)));
}
