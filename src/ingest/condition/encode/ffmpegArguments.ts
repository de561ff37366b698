// SPDX-License-Identifier: Apache-2.0
// Parts of command lines that several runs of ffmpeg share.
import type { VideoEncode } from '../plan/planEncode.ts';

/** Containers that contain their media. A playlist, even one named .mp4, would make ffmpeg open the URLs that it lists. */
const CONTAINERS = 'mov,mpegts,matroska,mpeg,mxf,avi,flv,asf,ogg,mp3,aac,wav,flac';

/** Opens a saved file and nothing else, in a permitted container only. */
export const safeInput = (file: string): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS, '-max_pixels', '36000000'],
  ...['-i', file],
];

/** Opens a file with the pixels of one picture, as slateCard.ts writes them. */
export const cardInput = (file: string, { width, height }: Pick<VideoEncode, 'width' | 'height'>): string[] => [
  ...['-f', 'rawvideo', '-pixel_format', 'rgb24', '-video_size', `${width}x${height}`, '-framerate', '25', '-i', file],
];

/** Without input from the terminal, and with warnings and errors only on stderr. */
export const quietly = (threads: number): string[] => [
  ...['-hide_banner', '-nostdin', '-v', 'warning', '-threads', `${threads}`],
];

export const CHANNEL_LAYOUTS = { 1: 'mono', 2: 'stereo', 6: '5.1' } as const;

/** Deinterlaces the frames that are marked as interlaced. The filter requires at least 8 × 8 pixels. */
export const DEINTERLACE = "scale=w='max(8,iw)':h='max(8,ih)',bwdif=deint=interlaced";

/** Scales a picture of any shape to fit into this size, centered between bars. */
export function fitInto({ width, height }: Pick<VideoEncode, 'width' | 'height'>): string[] {
  const side = (most: number, own: string, other: string, fits: string): string =>
    `'max(2,2*floor(min(${most},round(${own}*${fits}/${other}))/2))'`;
  const [w, h] = [side(width, 'iw', 'ih', `${height}`), side(height, 'ih', 'iw', `${width}`)];
  return [
    `scale=w='clip(trunc(iw*sar/2)*2,2,16384)':h=ih,setsar=1`,
    `scale=w=${w}:h=${h}:flags=bicubic:out_color_matrix=bt709:out_range=tv`,
    `pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p`,
  ];
}

export const largestOf = (videos: readonly VideoEncode[]): VideoEncode | undefined =>
  [...videos].sort((a, b) => b.width * b.height - a.width * a.height)[0];
