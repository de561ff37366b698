// From a source with subtitles to the segments that viewers are sent of them, over HTTP, whatever the source put them in.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FolderServer, plainOrigin, startFolderServer } from '../../test/folderServer.ts';
import { encodeShortFilm, manifest, variant } from '../../test/shortFilm.ts';
import { readFragmentTimes } from '../mp4/readFragmentTimes.ts';
import { readSamples } from '../mp4/readSamples.ts';
import type { Cue } from '../subtitles/cue.ts';
import { readWebvtt } from '../subtitles/readWebvtt.ts';
import { readWvtt } from '../subtitles/readWvtt.ts';
import { writeWvttInit, writeWvttSegment } from '../subtitles/writeWvtt.ts';
import type { Asset } from '../timeline/asset.ts';
import { textGrid } from '../timeline/servedText.ts';
import { importAsset } from './importAsset.ts';
import { createTextSource } from './textSource.ts';

const KEY = '0123456789abcdef0123456789abcdef';
let server: FolderServer;
/** Six seconds in three segments, and without the first of them: media time 2 s to 6 s. */
let whole = '';
let late = '';
beforeAll(async () => {
  server = await startFolderServer();
  whole = encodeShortFilm(server).video;
  late = whole.replace(/#EXTINF[^\n]*\n[^\n]*\n/, '');
});
afterAll(() => server.close());
afterEach(() => server.reset());

const put = (path: string, text: string): void => void server.texts.set(path, text);
const extinf = (seconds: number, uri: string): string => `#EXTINF:${seconds},\n${uri}`;
const ended = (...lines: string[]): string => manifest('#EXT-X-TARGETDURATION:6', ...lines, '#EXT-X-ENDLIST');
const subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="s.m3u8"';
const cue = (start: number, end: number, text: string): string => `00:0${start}.000 --> 00:0${end}.000\n${text}\n`;

async function imported(path: string): Promise<Asset> {
  const result = await importAsset(`${server.base}${path}`, plainOrigin);
  if (!result.ok) throw new Error(result.reason);
  return result.asset;
}
/** @param segments of text, in a film of these pictures */
function film(pictures: string, ...segments: string[]): Promise<Asset> {
  put('/w.m3u8', pictures);
  put('/s.m3u8', ended(...segments));
  put('/film.m3u8', manifest(subtitles, variant(1, 'w.m3u8', ',SUBTITLES="s"')));
  return imported('/film.m3u8');
}
const logged: string[] = [];
const sourceOf = (asset: Asset) =>
  createTextSource({
    assets: { find: async (key) => (key === KEY ? asset : undefined) },
    origin: plainOrigin,
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
      const [from, to] = [start, end].map((at) => (at - map!.local) / 1000 + map!.mpegts / 90_000) as [number, number];
      all.push([from, to, words]);
    }
  }
  return all;
}

describe('WebVTT in HLS', () => {
  const map = (seconds: number, local = '00:00:00.000') =>
    `X-TIMESTAMP-MAP=MPEGTS:${seconds * 90_000},LOCAL:${local}\n`;

  test('one file for the whole film is cut where the pictures are', async () => {
    put('/all.vtt', `WEBVTT\n${map(2)}\n${cue(0, 3, 'one')}\n${cue(3, 4, 'two')}`);
    const asset = await film(late, extinf(4, 'all.vtt'));
    expect(asset.warnings).toEqual([]);
    expect(await sent(asset)).toEqual([
      [2, 4, 'one'],
      [4, 5, 'one'],
      [5, 6, 'two'],
    ]);
  });

  test('cues that stand only in the segment where they begin are shown to their end', async () => {
    put('/0.vtt', `WEBVTT\n${map(2)}\n${cue(0, 3, 'one')}`);
    put('/1.vtt', `WEBVTT\n${map(2)}\n${cue(3, 4, 'two')}`);
    expect(await sent(await film(late, extinf(2, '0.vtt'), extinf(2, '1.vtt')))).toEqual([
      [2, 4, 'one'],
      [4, 5, 'one'],
      [5, 6, 'two'],
    ]);
  });

  test('text that goes on through parts on one clock is divided where the pictures are', async () => {
    const divided = whole.replace(/(#EXTINF[^\n]*\nv1)/, '#EXT-X-DISCONTINUITY\n$1');
    put('/all.vtt', `WEBVTT\n${map(0)}\n${cue(0, 1, 'one')}\n${cue(1, 3, 'two')}\n${cue(4, 5, 'three')}`);
    const asset = await film(divided, extinf(6, 'all.vtt'));
    expect(asset.parts).toHaveLength(2);
    expect(await sent(asset, 0)).toEqual([
      [0, 1, 'one'],
      [1, 2, 'two'],
    ]);
    expect(await sent(asset, 1)).toEqual([
      [2, 3, 'two'],
      [4, 5, 'three'],
    ]);
  });

  test('and so is text that counts from the start of the asset, where each part has a clock of its own', async () => {
    const twice =
      whole.replace('#EXT-X-ENDLIST', '') +
      whole.slice(whole.indexOf('#EXT-X-MAP')).replace('#EXT-X-MAP', '#EXT-X-DISCONTINUITY\n#EXT-X-MAP');
    const seconds = [0, 2, 4, 6, 8].map((second) => cue(second, second + 1, `second ${second}`));
    put('/all.vtt', `WEBVTT\n\n${seconds.join('\n')}`);
    const asset = await film(twice, extinf(12, 'all.vtt'));
    expect(asset.parts).toHaveLength(2);
    expect((await sent(asset, 1)).map(([from, , words]) => [from, words])).toEqual([
      [0, 'second 6'],
      [2, 'second 8'],
    ]);
  });

  test('a map after 33 bits have begun anew is the same instant', async () => {
    put('/all.vtt', `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${2 ** 33 + 180_000},LOCAL:00:00:00.000\n\n${cue(1, 2, 'one')}`);
    expect(await sent(await film(late, extinf(4, 'all.vtt')))).toEqual([[3, 4, 'one']]);
  });

  test('without a map cue times are media times', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(3, 4, 'one')}\n${cue(5, 6, 'two')}`);
    expect(await sent(await film(late, extinf(4, 'all.vtt')))).toEqual([
      [3, 4, 'one'],
      [5, 6, 'two'],
    ]);
  });

  test('a map that puts cues outside of their segments is not believed, and that is said', async () => {
    put('/0.vtt', `WEBVTT\n${map(100)}\n${cue(0, 1, 'one')}`);
    put('/1.vtt', `WEBVTT\n${map(100)}\n${cue(2, 3, 'two')}`);
    const asset = await film(late, extinf(2, '0.vtt'), extinf(2, '1.vtt'));
    expect(asset.warnings).toEqual([expect.stringContaining('unless they count from the start of its part')]);
    expect(await sent(asset)).toEqual([
      [2, 3, 'one'],
      [4, 5, 'two'],
    ]);
  });

  test('broken cues cost themselves, what is no text costs the text, never the film', async () => {
    put('/all.vtt', `WEBVTT\n\nnever --> ever\nodd\n\n${cue(0, 1, 'one')}`);
    const asset = await film(whole, extinf(6, 'all.vtt'));
    expect(asset.warnings).toEqual([expect.stringMatching(/^line 2 of film\.m3u8: 1 cues? .* not shown$/)]);
    expect(await sent(asset)).toEqual([[0, 1, 'one']]);
    put('/all.vtt', '<html>gone</html>');
    const without = await imported('/film.m3u8');
    expect(without.renditions.map(({ kind }) => kind)).toEqual(['video']);
    expect(without.warnings).toEqual([expect.stringContaining('is left out: WebVTT is wanted')]);
  });
});

test('WebVTT beside a DASH film counts from the start of its Period', async () => {
  put('/all.vtt', `WEBVTT\n\n${cue(1, 2, 'one')}`);
  const names = [...whole.matchAll(/^v\d+\.m4s$/gm)].map(([name]) => `<SegmentURL media="${name}"/>`);
  put(
    '/film.mpd',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT6S"><Period>
      <AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1"><SegmentList duration="2"><Initialization sourceURL="vi.mp4"/>${names.join('')}</SegmentList></Representation></AdaptationSet>
      <AdaptationSet mimeType="text/vtt" lang="de"><Role schemeIdUri="urn:mpeg:dash:role:2011" value="forced-subtitle"/><Representation id="t" bandwidth="1"><BaseURL>all.vtt</BaseURL></Representation></AdaptationSet>
    </Period></MPD>`,
  );
  const asset = await imported('/film.mpd');
  expect(asset.warnings).toEqual([]);
  expect(asset.renditions[1]).toMatchObject({ kind: 'text', language: 'de', isForced: true });
  expect(await sent(asset)).toEqual([[1, 2, 'one']]);
});

test('text in fragmented MP4 is sent as WebVTT and in fragmented MP4', async () => {
  const cues: Cue[] = [
    { start: 1000, end: 2500, text: 'one' },
    { start: 4000, end: 5000, text: 'two', settings: 'line:0' },
  ];
  writeFileSync(join(server.folder, 'ti.mp4'), writeWvttInit(1000));
  const within = (from: number, to: number) => cues.filter(({ start, end }) => start < to && end > from);
  writeFileSync(join(server.folder, 't0.m4s'), writeWvttSegment(1, within(0, 3000), 1000, 0, 0, 3000));
  writeFileSync(join(server.folder, 't1.m4s'), writeWvttSegment(2, within(3000, 6000), 1000, 0, 3000, 6000));
  const asset = await film(whole, '#EXT-X-MAP:URI="ti.mp4"', extinf(3, 't0.m4s'), extinf(3, 't1.m4s'));
  expect(asset.warnings).toEqual([]);
  expect(await sent(asset)).toEqual([
    [1, 2, 'one'],
    [2, 2.5, 'one'],
    [4, 5, 'two'],
  ]);
  const grid = textGrid(asset);
  const { bytes } = (await sourceOf(asset).openSegment(KEY, 0, '1', '1.m4s'))!;
  const [from, to] = grid.tracks[0]!.borders.slice(1, 3) as unknown as [number, number];
  expect(readFragmentTimes(bytes).fragments).toMatchObject([{ earliest: from, duration: to - from }]);
  expect(readWvtt(readSamples(bytes), grid.timescale)).toEqual([{ start: 2000, end: 2500, text: 'one' }]);
});

describe('what is asked for', () => {
  test('a source that fails shows no text for a while, and is asked again', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(0, 1, 'one')}`);
    const asset = await film(whole, extinf(6, 'all.vtt'));
    server.texts.delete('/all.vtt');
    const first = sourceOf(asset);
    const failed = await first.openSegment(KEY, 0, '1', '0.vtt');
    expect(failed).toMatchObject({ isPassing: true });
    expect(readWebvtt(new TextDecoder().decode(failed!.bytes))!.cues).toEqual([]);
    expect(logged.at(-1)).toContain('404');
    put('/all.vtt', `WEBVTT\n\n${cue(0, 1, 'one')}`);
    expect(await sent(asset)).toEqual([[0, 1, 'one']]);
  });

  test('a source that does not answer keeps nobody waiting', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(0, 1, 'one')}`);
    const asset = await film(whole, extinf(6, 'all.vtt'));
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow = { ...plainOrigin, read: (url: string) => held.then(() => plainOrigin.read(url)) };
    const source = createTextSource({ assets: { find: async () => asset }, origin: slow, log: () => {}, patience: 20 });
    expect(await source.openSegment(KEY, 0, '1', '0.vtt')).toMatchObject({ isPassing: true });
    answer!();
    await expect.poll(async () => (await source.openSegment(KEY, 0, '1', '0.vtt'))?.isPassing).toBeUndefined();
  });

  test('the source is read once, however many ask at the same time', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(0, 1, 'one')}`);
    const asset = await film(whole, extinf(6, 'all.vtt'));
    const source = sourceOf(asset);
    server.asked.length = 0;
    await Promise.all(['0.vtt', '1.vtt', '2.m4s', '0.vtt'].map((name) => source.openSegment(KEY, 0, '1', name)));
    expect(server.asked).toEqual(['/all.vtt']);
  });

  test('text that says nothing is there for every film', async () => {
    put('/w.m3u8', whole);
    const source = sourceOf(await imported('/w.m3u8'));
    const { bytes } = (await source.openSegment(KEY, 0, 'e', '2.vtt'))!;
    expect(readWebvtt(new TextDecoder().decode(bytes))!.cues).toEqual([]);
    expect((await source.openSegment(KEY, 0, 'e', 'init.mp4'))?.contentType).toBe('application/mp4');
  });

  test.each([
    ['another asset', ['f'.repeat(32), 0, '1', '0.vtt']],
    ['no key', ['../secret', 0, '1', '0.vtt']],
    ['another part', [KEY, 1, '1', '0.vtt']],
    ['pictures', [KEY, 0, '0', '0.vtt']],
    ['no rendition', [KEY, 0, '7', '0.vtt']],
    ['a segment after the last', [KEY, 0, '1', '3.vtt']],
    ['another ending', [KEY, 0, '1', '0.ts']],
    ['a number that is none', [KEY, 0, '1', '00.vtt']],
  ] as const)('%s is not there', async (_, [key, part, text, name]) => {
    put('/all.vtt', 'WEBVTT\n');
    const asset = await film(whole, extinf(6, 'all.vtt'));
    expect(await sourceOf(asset).openSegment(key, part, text, name)).toBeUndefined();
  });
});
