// SPDX-License-Identifier: Apache-2.0
// From a source with subtitles in any format, over HTTP, to the segments that viewers receive.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../test/deferred.ts';
import { cue, extinf, KEY, textAssets } from '../../../test/media/textAssets.ts';
import { naming } from '../../../test/naming.ts';
import { plainOrigin } from '../../../test/servers/folderServer.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import { readFragmentTimes } from '../../mp4/readFragmentTimes.ts';
import { readSamples } from '../../mp4/readSamples.ts';
import type { Cue } from '../../subtitles/cue.ts';
import { readWvtt, writeWvttInit, writeWvttSegment } from '../../subtitles/mp4Text.ts';
import { readWebvtt } from '../../subtitles/webvtt.ts';
import { textGrid } from '../../timeline/ladder/servedText.ts';
import { createTextSource } from './textSource.ts';

const { withText, imported, late, logged, put, sent, server, sourceOf, whole } = textAssets();

/** The cues that viewers receive: from, to, text. */
const shown = async (...given: Parameters<typeof sent>) => (await sent(...given)).map((each) => each.join(' '));

test('times of WebVTT in DASH count from the start of the Period', async () => {
  put('/all.vtt', `WEBVTT\n\n${cue(1, 2, 'one')}`);
  const names = [...whole().matchAll(/^v\d+\.m4s$/gm)].map(([name]) => `<SegmentURL media="${name}"/>`);
  put(
    '/asset.mpd',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT6S"><Period>
      <AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1"><SegmentList duration="2"><Initialization sourceURL="vi.mp4"/>${names.join('')}</SegmentList></Representation></AdaptationSet>
      <AdaptationSet mimeType="text/vtt" lang="de"><Role schemeIdUri="urn:mpeg:dash:role:2011" value="forced-subtitle"/><Representation id="t" bandwidth="1"><BaseURL>all.vtt</BaseURL></Representation></AdaptationSet>
    </Period></MPD>`,
  );
  const asset = await imported('/asset.mpd');
  expect(asset.warnings).toEqual([]);
  expect(asset.renditions[1]).toMatchObject({ kind: 'text', language: 'de', isForced: true });
  expect(await shown(asset)).toEqual(['1 2 one']);
});

test('text in fragmented MP4 is served as WebVTT and as fragmented MP4', async () => {
  const cues: Cue[] = [
    { start: 1000, end: 2500, text: 'one' },
    { start: 4000, end: 5000, text: 'two', settings: 'line:0' },
  ];
  writeFileSync(join(server().folder, 'ti.mp4'), writeWvttInit(1000));
  const within = (from: number, to: number) => cues.filter(({ start, end }) => start < to && end > from);
  for (const [index, from] of [0, 3000].entries()) {
    const interval = { timescale: 1000, zero: 0, from, to: from + 3000 };
    const segment = writeWvttSegment(index + 1, within(from, from + 3000), interval);
    writeFileSync(join(server().folder, `t${index}.m4s`), segment);
  }
  const asset = await withText(whole(), '#EXT-X-MAP:URI="ti.mp4"', extinf(3, 't0.m4s'), extinf(3, 't1.m4s'));
  expect(asset.warnings).toEqual([]);
  expect(await shown(asset)).toEqual(['1 2 one', '2 2.5 one', '4 5 two']);
  const grid = textGrid(asset);
  const { bytes } = (await sourceOf(asset).openSegment(KEY, 0, '1', '1.m4s'))!;
  const [from, to] = grid.tracks[0]!.borders.slice(1, 3) as unknown as [number, number];
  expect(readFragmentTimes(bytes).fragments).toMatchObject([{ earliest: from, duration: to - from }]);
  expect(readWvtt(readSamples(bytes), grid.timescale)).toEqual([{ start: 2000, end: 2500, text: 'one' }]);
  const early = {
    ...asset,
    renditions: asset.renditions.map((rendition) => ({
      ...rendition,
      tracks: rendition.tracks.map((track) => ({ ...track, borders: track.borders.map((border) => border - 1) })),
    })),
  };
  const first = (await sourceOf(early).openSegment(KEY, 0, '1', '0.m4s'))!;
  expect(readFragmentTimes(first.bytes).fragments).toMatchObject([{ earliest: 0 }]);
});

describe('text segments', () => {
  test('have no cues while their source fails, and the source is read again', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(0, 1, 'one')}`);
    const asset = await withText(whole(), extinf(6, 'all.vtt'));
    server().texts.delete('/all.vtt');
    const first = sourceOf(asset);
    const failed = await first.openSegment(KEY, 0, '1', '0.vtt');
    expect(failed).toMatchObject({ isIncomplete: true });
    expect(readWebvtt(new TextDecoder().decode(failed!.bytes))!.cues).toEqual([]);
    expect(logged.at(-1)).toContain('404');
    put('/all.vtt', `WEBVTT\n\n${cue(0, 1, 'one')}`);
    expect(await shown(asset)).toEqual(['0 1 one']);
  });

  test('are returned without cues if their source does not respond in time', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(0, 1, 'one')}`);
    const asset = await withText(whole(), extinf(6, 'all.vtt'));
    const { promise: responding, resolve: respond } = deferred();
    const slow = { ...plainOrigin, read: (url: string) => responding.then(() => plainOrigin.read(url)) };
    const deps = { assets: { find: async () => asset }, origin: slow, timers: systemTimers, log: () => {} };
    const source = createTextSource({ ...deps, timeoutMs: 20 });
    expect(await source.openSegment(KEY, 0, '1', '0.vtt')).toMatchObject({ isIncomplete: true });
    respond();
    await expect.poll(async () => (await source.openSegment(KEY, 0, '1', '0.vtt'))?.isIncomplete).toBeUndefined();
  });

  test('read their source once for concurrent requests', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(0, 1, 'one')}`);
    const asset = await withText(whole(), extinf(6, 'all.vtt'));
    const source = sourceOf(asset);
    server().requested.length = 0;
    await Promise.all(['0.vtt', '1.vtt', '2.m4s', '0.vtt'].map((name) => source.openSegment(KEY, 0, '1', name)));
    expect(server().requested).toEqual(['/all.vtt']);
  });

  test('without cues exist for every asset', async () => {
    put('/w.m3u8', whole());
    const source = sourceOf(await imported('/w.m3u8'));
    const { bytes } = (await source.openSegment(KEY, 0, 'e', '2.vtt'))!;
    expect(readWebvtt(new TextDecoder().decode(bytes))!.cues).toEqual([]);
    expect((await source.openSegment(KEY, 0, 'e', 'init.mp4'))?.contentType).toBe('application/mp4');
  });

  test.each([
    ['another asset', ['f'.repeat(32), 0, '1', '0.vtt']],
    ['an invalid key', ['../secret', 0, '1', '0.vtt']],
    ['an unknown part', [KEY, 1, '1', '0.vtt']],
    ['a video rendition', [KEY, 0, '0', '0.vtt']],
    ['an unknown rendition', [KEY, 0, '7', '0.vtt']],
    ['a number after the last segment', [KEY, 0, '1', '3.vtt']],
    ['another extension', [KEY, 0, '1', '0.ts']],
    ['an invalid number', [KEY, 0, '1', '00.vtt']],
  ] as const)('do not exist for %s', async (_, [key, part, text, name]) => {
    put('/all.vtt', 'WEBVTT\n');
    const asset = await withText(whole(), extinf(6, 'all.vtt'));
    expect(await sourceOf(asset).openSegment(key, part, text, name)).toBeUndefined();
  });
});

// From WebVTT in HLS, on any clock, to the segments that viewers receive.

describe('WebVTT in HLS', () => {
  const map = (seconds: number, local = '00:00:00.000') =>
    `X-TIMESTAMP-MAP=MPEGTS:${seconds * 90_000},LOCAL:${local}\n`;

  test('one file for the whole asset is cut at the segment borders of the video', async () => {
    put('/all.vtt', `WEBVTT\n${map(2)}\n${cue(0, 3, 'one')}\n${cue(3, 4, 'two')}`);
    const asset = await withText(late(), extinf(4, 'all.vtt'));
    expect(asset.warnings).toEqual([]);
    expect(await shown(asset)).toEqual(['2 4 one', '4 5 one', '5 6 two']);
  });

  test('cues that are only in their first segment are displayed until their end', async () => {
    put('/0.vtt', `WEBVTT\n${map(2)}\n${cue(0, 3, 'one')}`);
    put('/1.vtt', `WEBVTT\n${map(2)}\n${cue(3, 4, 'two')}`);
    expect(await shown(await withText(late(), extinf(2, '0.vtt'), extinf(2, '1.vtt')))).toEqual([
      '2 4 one',
      '4 5 one',
      '5 6 two',
    ]);
  });

  test('text on one clock for all parts is divided with the video', async () => {
    const divided = whole().replace(/(#EXTINF[^\n]*\nv1)/, '#EXT-X-DISCONTINUITY\n$1');
    put('/all.vtt', `WEBVTT\n${map(0)}\n${cue(0, 1, 'one')}\n${cue(1, 3, 'two')}\n${cue(4, 5, 'three')}`);
    const asset = await withText(divided, extinf(6, 'all.vtt'));
    expect(asset.parts).toHaveLength(2);
    expect(await shown(asset, 0)).toEqual(['0 1 one', '1 2 two']);
    expect(await shown(asset, 1)).toEqual(['2 3 two', '4 5 three']);
  });

  test('text that counts from the start of the asset is divided if each part has its own clock', async () => {
    const twice =
      whole().replace('#EXT-X-ENDLIST', '') +
      whole().slice(whole().indexOf('#EXT-X-MAP')).replace('#EXT-X-MAP', '#EXT-X-DISCONTINUITY\n#EXT-X-MAP');
    const seconds = [0, 2, 4, 6, 8].map((second) => cue(second, second + 1, `second ${second}`));
    put('/all.vtt', `WEBVTT\n\n${seconds.join('\n')}`);
    const asset = await withText(twice, extinf(12, 'all.vtt'));
    expect(asset.parts).toHaveLength(2);
    expect((await sent(asset, 1)).map(([from, , text]) => [from, text])).toEqual([
      [0, 'second 6'],
      [2, 'second 8'],
    ]);
  });

  test('X-TIMESTAMP-MAP may contain more than 33 bits', async () => {
    put('/all.vtt', `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${2 ** 33 + 180_000},LOCAL:00:00:00.000\n\n${cue(1, 2, 'one')}`);
    expect(await shown(await withText(late(), extinf(4, 'all.vtt')))).toEqual(['3 4 one']);
  });

  test('X-TIMESTAMP-MAP may be negative', async () => {
    put('/0.vtt', `WEBVTT\n${map(2)}\n${cue(0, 1, 'one')}`);
    put('/1.vtt', `WEBVTT\n${map(-4)}\n${cue(8, 9, 'two')}`);
    const asset = await withText(late(), extinf(2, '0.vtt'), extinf(2, '1.vtt'));
    expect(asset.warnings).toEqual([]);
    expect(await shown(asset)).toEqual(['2 3 one', '4 5 two']);
  });

  test('without X-TIMESTAMP-MAP, cue times are media times', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(3, 4, 'one')}\n${cue(5, 6, 'two')}`);
    expect(await shown(await withText(late(), extinf(4, 'all.vtt')))).toEqual(['3 4 one', '5 6 two']);
  });

  test('X-TIMESTAMP-MAP is ignored with a warning if it moves cues outside of their segments', async () => {
    put('/0.vtt', `WEBVTT\n${map(100)}\n${cue(0, 1, 'one')}`);
    put('/1.vtt', `WEBVTT\n${map(100)}\n${cue(2, 3, 'two')}`);
    const asset = await withText(late(), extinf(2, '0.vtt'), extinf(2, '1.vtt'));
    expect(asset.warnings).toEqual([naming(2, 'asset.m3u8')]);
    expect(asset.renditions.find(({ kind }) => kind === 'text')).toMatchObject({ cueTime: 'part' });
    expect(await shown(asset)).toEqual(['2 3 one', '4 5 two']);
  });

  test('malformed cues and other formats are left out with a warning', async () => {
    put('/all.vtt', `WEBVTT\n\nnever --> ever\nodd\n\n${cue(0, 1, 'one')}`);
    const asset = await withText(whole(), extinf(6, 'all.vtt'));
    expect(asset.warnings).toEqual([naming(2, 'asset.m3u8', 1)]);
    expect(await shown(asset)).toEqual(['0 1 one']);
    put('/all.vtt', '<html>gone</html>');
    const without = await imported('/asset.m3u8');
    expect(without.renditions.map(({ kind }) => kind)).toEqual(['video']);
    expect(without.warnings).toEqual([naming(2, 'asset.m3u8', '<html>gone</html>')]);
  });
});
