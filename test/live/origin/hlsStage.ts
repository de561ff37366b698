// SPDX-License-Identifier: Apache-2.0
// Readers of HLS origins in memory.
import { createHlsOriginReader } from '../../../src/ingest/live/hls/createHlsOriginReader.ts';
import type { OriginReading } from '../../../src/live/origin.ts';
import type { Millis } from '../../../src/time/units.ts';
import { memoryOrigin, readFrom, START } from './memoryOrigin.ts';

export const BASE = 'https://o.example/live';
type Rungs = Parameters<typeof createHlsOriginReader>[0]['feed']['rungs'];

/** A number is a status. */
export function stage(files: Record<string, string | number | { url: string; body: string }>) {
  const requests: string[] = [];
  const state = { now: START };
  const origin = memoryOrigin((url) => {
    requests.push(url.slice(BASE.length + 1));
    return files[url.slice(BASE.length + 1)];
  });
  const readerOn = (rungs: Rungs, path = 'main.m3u8?token=secret') => {
    const feed = { url: `${BASE}/${path}`, rungs, serves: 'hls' } as const;
    const reader = createHlsOriginReader({ origin, feed, now: () => state.now as Millis });
    const read = async (): Promise<OriginReading> => {
      const reading = await readFrom(reader);
      if (reading === undefined) throw new Error('nothing has changed');
      return reading;
    };
    return { reader, read };
  };
  return { files, requests, state, readerOn };
}

export const rung = (key: string, kind: 'video' | 'audio' | 'text') =>
  ({ key, kind, container: kind === 'text' ? 'vtt' : 'fmp4', codecs: '', timescale: 90_000 }) as unknown as Rungs[0];
export const video = rung('v:640x360:900000:avc1.64001f', 'video');
export const audio = rung('audio:a:English:en', 'audio');
export const text = rung('subtitles:t:English:en', 'text');
export const bare = rung('media', 'video');

export const multivariant = (query = '') =>
  [
    '#EXTM3U',
    '#EXT-X-DEFINE:NAME="folder",VALUE="seg"',
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",URI="a.m3u8${query}"`,
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="t",NAME="English",LANGUAGE="en",URI="t.m3u8${query}"`,
    '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001f",AUDIO="a",SUBTITLES="t"',
    `v.m3u8${query}`,
    '#EXT-X-STREAM-INF:BANDWIDTH=1900000,RESOLUTION=1280x720,CODECS="avc1.64001f",AUDIO="a",SUBTITLES="t"',
    `unused.m3u8${query}`,
  ].join('\n');

/** Segments of two seconds, the tags before each of them by index. */
export const media = (first: number, count: number, tags: Record<number, string[]> = {}, head: string[] = []) =>
  [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:2',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...head,
    ...Array.from({ length: count }, (_, i) => first + i).flatMap((number) => [
      ...(tags[number] ?? []),
      '#EXTINF:2.000,',
      `${number}.m4s`,
    ]),
    ...(tags[first + count] ?? []),
  ].join('\n');
export const date = (seconds: number) => `#EXT-X-PROGRAM-DATE-TIME:${new Date(START + seconds * 1000).toISOString()}`;

/** An origin of one media playlist, without a multivariant playlist. */
export function live(...given: Parameters<typeof media>) {
  const made = stage({ 'live.m3u8': media(...given) });
  const update = (...next: Parameters<typeof media>) => {
    made.files['live.m3u8'] = media(...next);
  };
  return { ...made, ...made.readerOn([bare], 'live.m3u8'), update };
}

export const segmentsOf = ({ renditions }: OriginReading, at = 0) => renditions[at]!.segments;
export const numbers = (reading: OriginReading, at = 0) => segmentsOf(reading, at).map(({ number }) => number);
export const times = (reading: OriginReading) =>
  segmentsOf(reading).map(({ startsAt }) => startsAt && (startsAt.millis - START) / 1000);
export const stretches = (reading: OriginReading) => segmentsOf(reading).map(({ stretch }) => stretch);
