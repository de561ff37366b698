// SPDX-License-Identifier: Apache-2.0
// A video of six seconds for import tests, in fragmented MP4: video in v.m3u8, audio in a.m3u8; and lines of HLS playlists.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderServer } from '../servers/folderServer.ts';

/** @returns both media playlists */
export async function encodeTestVideo({ encode, folder }: FolderServer): Promise<{ video: string; audio: string }> {
  const list = ['-f', 'hls', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-sc_threshold', '0', '-bf', '0'];
  const video = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25', '-t', '6'];
  const audio = ['-f', 'lavfi', '-i', 'sine=r=48000', '-t', '6', '-c:a', 'aac'];
  await encode('.', ...video, ...x264, ...list, '-hls_time', '1.9', '-hls_fmp4_init_filename', 'vi.mp4', 'v.m3u8');
  await encode('.', ...audio, ...list, '-hls_time', '2', '-hls_fmp4_init_filename', 'ai.mp4', 'a.m3u8');
  await encode('.', ...audio, '-f', 'adts', 'bare.aac');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { video: read('v.m3u8'), audio: read('a.m3u8') };
}

export const group = (id: string, name: string, uri: string): string =>
  `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${id}",NAME="${name}",LANGUAGE="${name}",URI="${uri}"`;
export const variant = (bandwidth: number, uri: string, more = ''): string =>
  `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}${more}\n${uri}`;
export const manifest = (...lines: string[]): string => ['#EXTM3U', ...lines, ''].join('\n');
