// SPDX-License-Identifier: Apache-2.0
// A live HLS stream for the demo: one of its videos in a loop, on the clock, with an ad break in every turn. It has no
// state, so it continues after a restart.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LISTED = 12;
/** Segments within a turn: the break replaces those from the first to the one before the last. */
const BREAK = { from: 4, to: 10 };

type Listed = { readonly uri: string; readonly seconds: number; readonly offset: number };

function segmentsOf(onDemand: string): Listed[] {
  let offset = 0;
  return [...onDemand.matchAll(/^#EXTINF:([\d.]+),\n(.+)$/gm)].map(([, length, uri]) => {
    const seconds = Number(length);
    offset += seconds;
    return { uri: uri!, seconds, offset: offset - seconds };
  });
}

/**
 * @param onDemand a media playlist of the video
 * @param turnMillis the length of the video
 * @param now milliseconds since 1970
 * @returns the media playlist of the live stream at that instant, for `/live/`
 */
export function livePlaylist(onDemand: string, turnMillis: number, now: number): string {
  const segments = segmentsOf(onDemand);
  const count = segments.length;
  /** The average length of a segment in milliseconds: segments of video and audio have slightly different lengths. */
  const slot = turnMillis / count;
  const edge = Math.floor(now / slot);
  const first = edge - LISTED;
  const init = /#EXT-X-MAP:URI="(.+)"/.exec(onDemand)?.[1];
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    /^#EXT-X-TARGETDURATION:.+$/m.exec(onDemand)![0],
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    // The discontinuities before the first segment, its own not included.
    `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.ceil(first / count)}`,
    `#EXT-X-MAP:URI="../tide/${init}"`,
  ];
  for (let number = first; number < edge; number += 1) {
    const [turn, index] = [Math.floor(number / count), number % count];
    const { uri, seconds, offset } = segments[index]!;
    if (index === 0) lines.push('#EXT-X-DISCONTINUITY');
    if (index === BREAK.from) lines.push(`#EXT-X-CUE-OUT:${((BREAK.to - BREAK.from) * slot) / 1000}`);
    if (index === BREAK.to) lines.push('#EXT-X-CUE-IN');
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(turn * turnMillis + Math.round(offset * 1000)).toISOString()}`);
    lines.push(`#EXTINF:${seconds.toFixed(6)},`, `../tide/${uri}`);
  }
  return `${lines.join('\n')}\n`;
}

const playlist = /^\/live\/(master|[av]\d)\.m3u8$/;
const TURN_MILLIS = 32_000;

/** @returns the playlist at a path; undefined for other paths */
export async function readLivePlaylist(folder: string, path: string, now: number): Promise<string | undefined> {
  const [, name] = playlist.exec(path) ?? [];
  if (name === undefined) return undefined;
  const text = await readFile(join(folder, 'tide', `${name}.m3u8`), 'utf8').catch(() => undefined);
  return name === 'master' || text === undefined ? text : livePlaylist(text, TURN_MILLIS, now);
}
