// SPDX-License-Identifier: Apache-2.0
// Assets of six seconds with subtitles, and the subtitles that viewers receive.
import { beforeAll, expect } from 'vitest';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { createTextSource } from '../../src/ingest/text/textSource.ts';
import { readWebvtt } from '../../src/subtitles/webvtt.ts';
import type { Asset } from '../../src/timeline/asset/asset.ts';
import { textGrid } from '../../src/timeline/ladder/servedText.ts';
import { plainOrigin } from '../servers/folderServer.ts';
import { importing } from './importing.ts';
import { encodeTestVideo, manifest, variant } from './testVideo.ts';

export const KEY = '0123456789abcdef0123456789abcdef';
export const extinf = (seconds: number, uri: string): string => `#EXTINF:${seconds},\n${uri}`;
export const ended = (...lines: string[]): string => manifest('#EXT-X-TARGETDURATION:6', ...lines, '#EXT-X-ENDLIST');
export const cue = (start: number, end: number, text: string): string =>
  `00:0${start}.000 --> 00:0${end}.000\n${text}\n`;
const subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="s.m3u8"';

/** To be called at the top of a file. */
export function textAssets() {
  const { server, put, imported } = importing();
  let whole = '';
  beforeAll(async () => {
    whole = (await encodeTestVideo(server())).video;
  });
  const logged: string[] = [];

  /** Imports an asset with this video playlist and subtitles. */
  function withText(video: string, ...segments: string[]): Promise<Asset> {
    put('/w.m3u8', video);
    put('/s.m3u8', ended(...segments));
    put('/asset.m3u8', manifest(subtitles, variant(1, 'w.m3u8', ',SUBTITLES="s"')));
    return imported('/asset.m3u8');
  }

  const sourceOf = (asset: Asset) =>
    createTextSource({
      assets: { find: async (key) => (key === KEY ? asset : undefined) },
      origin: plainOrigin,
      timers: systemTimers,
      log: (_, { reason }) => void logged.push(`${reason}`),
    });

  /** The cues of the first text rendition as WebVTT segments contain them: media time in seconds, and text. */
  async function sent(asset: Asset, part = 0): Promise<[number, number, string][]> {
    const source = sourceOf(asset);
    const text = asset.renditions.findIndex(({ kind }) => kind === 'text');
    const all: [number, number, string][] = [];
    const { borders } = textGrid(asset).tracks[part]!;
    for (let index = 0; index + 1 < borders.length; index += 1) {
      const { bytes, contentType } = (await source.openSegment(KEY, part, `${text}`, `${index}.vtt`))!;
      expect(contentType).toBe('text/vtt; charset=utf-8');
      const { cues, map } = readWebvtt(new TextDecoder().decode(bytes))!;
      for (const { start, end, text: lines } of cues) {
        const [from, to] = [start, end].map((at) => (at - map!.local) / 1000 + map!.mpegts / 90_000) as [
          number,
          number,
        ];
        all.push([from, to, lines]);
      }
    }
    return all;
  }

  return {
    server,
    /** The playlist of six seconds of video in three segments. */
    whole: () => whole,
    /** Without the first segment: media time 2 s to 6 s. */
    late: () => whole.replace(/#EXTINF[^\n]*\n[^\n]*\n/, ''),
    logged,
    ...{ put, imported, withText, sourceOf, sent },
  };
}
