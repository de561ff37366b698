// Videos of six seconds with text of any kind beside them, and what viewers are sent of it.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { importAsset } from '../../src/ingest/import/importAsset.ts';
import { createTextSource } from '../../src/ingest/text/textSource.ts';
import { readWebvtt } from '../../src/subtitles/readWebvtt.ts';
import type { Asset } from '../../src/timeline/asset/asset.ts';
import { textGrid } from '../../src/timeline/ladder/servedText.ts';
import { type FolderServer, plainOrigin, startFolderServer } from '../servers/folderServer.ts';
import { encodeTestVideo, manifest, variant } from './testVideo.ts';

export const KEY = '0123456789abcdef0123456789abcdef';
export const extinf = (seconds: number, uri: string): string => `#EXTINF:${seconds},\n${uri}`;
export const ended = (...lines: string[]): string => manifest('#EXT-X-TARGETDURATION:6', ...lines, '#EXT-X-ENDLIST');
export const cue = (start: number, end: number, text: string): string =>
  `00:0${start}.000 --> 00:0${end}.000\n${text}\n`;
const subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="s.m3u8"';

/** Call at the top of a file: what its tests put on the server is gone after each. */
export function textAssets() {
  let server: FolderServer;
  let whole = '';
  beforeAll(async () => {
    server = await startFolderServer();
    whole = (await encodeTestVideo(server)).video;
  });
  afterAll(() => server.close());
  afterEach(() => server.reset());
  const put = (path: string, text: string): void => void server.texts.set(path, text);
  const logged: string[] = [];

  async function imported(path: string): Promise<Asset> {
    const result = await importAsset(`${server.base}${path}`, plainOrigin);
    if (!result.ok) throw new Error(result.reason);
    return result.asset;
  }
  /** @param segments of text, in a video of these pictures */
  function video(pictures: string, ...segments: string[]): Promise<Asset> {
    put('/w.m3u8', pictures);
    put('/s.m3u8', ended(...segments));
    put('/video.m3u8', manifest(subtitles, variant(1, 'w.m3u8', ',SUBTITLES="s"')));
    return imported('/video.m3u8');
  }

  const sourceOf = (asset: Asset) =>
    createTextSource({
      assets: { find: async (key) => (key === KEY ? asset : undefined) },
      origin: plainOrigin,
      timers: systemTimers,
      log: (_, { reason }) => void logged.push(`${reason}`),
    });

  /** What is sent of the first text, each cue with the media time (seconds) that it is shown at. */
  async function sent(asset: Asset, part = 0): Promise<[number, number, string][]> {
    const source = sourceOf(asset);
    const text = asset.renditions.findIndex(({ kind }) => kind === 'text');
    const all: [number, number, string][] = [];
    const { borders } = textGrid(asset).tracks[part]!;
    for (let index = 0; index + 1 < borders.length; index += 1) {
      const { bytes, contentType } = (await source.openSegment(KEY, part, `${text}`, `${index}.vtt`))!;
      expect(contentType).toBe('text/vtt; charset=utf-8');
      const { cues, map } = readWebvtt(new TextDecoder().decode(bytes))!;
      for (const { start, end, text: words } of cues) {
        const [from, to] = [start, end].map((at) => (at - map!.local) / 1000 + map!.mpegts / 90_000) as [
          number,
          number,
        ];
        all.push([from, to, words]);
      }
    }
    return all;
  }

  return {
    server: () => server,
    /** Six seconds of pictures in three segments. */
    whole: () => whole,
    /** Without the first of them: media time 2 s to 6 s. */
    late: () => whole.replace(/#EXTINF[^\n]*\n[^\n]*\n/, ''),
    logged,
    ...{ put, imported, video, sourceOf, sent },
  };
}
