// SPDX-License-Identifier: Apache-2.0
// The first seconds of each video of the demo, in HLS and in DASH.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Started, startServer } from '../../demo/listen.ts';
import { mediaFolder } from '../../demo/origin.ts';
import { readTarget, replyText, sendFile } from '../../demo/serveFolder.ts';

/** Seconds of a segment. */
const SEGMENT = 2;

const source = (path: string): string => readFileSync(join(mediaFolder, path), 'utf8');

function shortPlaylist(path: string, count: number): string {
  const parts = source(path).split('#EXTINF');
  return `${parts.slice(0, 1 + count).join('#EXTINF')}#EXT-X-ENDLIST\n`;
}

/** Audio segments differ in length. */
const shortMpd = (path: string, count: number): string =>
  source(path)
    .replace(/mediaPresentationDuration="[^"]*"/, `mediaPresentationDuration="PT${SEGMENT * count}S"`)
    .replace(/(?<=<SegmentTimeline>).*?(?=<\/SegmentTimeline>)/g, (timeline) => {
      const rows = [...timeline.matchAll(/ d="(\d+)"(?: r="(\d+)")?/g)];
      const durations = rows.flatMap(([, d, r = '0']) => new Array<string>(1 + Number(r)).fill(d!)).slice(0, count);
      return durations.map((d, index) => `<S${index === 0 ? ' t="0"' : ''} d="${d}"/>`).join('');
    });

/** @param seconds the length of each video, in whole segments of 2 s */
export async function startShortVideos(seconds: number): Promise<Started> {
  const count = seconds / SEGMENT;
  return startServer(async (request, response) => {
    const { path } = readTarget(request);
    if (/\/[av]\d\.m3u8$/.test(path)) return replyText(response, 200, shortPlaylist(path, count));
    if (path.endsWith('.mpd')) return replyText(response, 200, shortMpd(path, count));
    return sendFile(request, response, mediaFolder, path);
  });
}
