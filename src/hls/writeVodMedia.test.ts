// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { presentationOf, titleOf } from '../../test/laws/syntheticPresentation.ts';
import { FLICKS_PER_SECOND, flicks } from '../time/units.ts';
import type { Asset, Track } from '../timeline/asset/asset.ts';
import type { FrozenBreak } from '../vod/layOut.ts';
import type { Title } from '../vod/title.ts';
import { writeMultivariant } from './writeMultivariant.ts';
import { type VodMediaOptions, writeVodMedia } from './writeVodMedia.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const rate = { n: 25, d: 1 };
const film = (name: string, count = 4, texts: string[] = []): Asset =>
  syntheticAsset({ name, rate, segments: new Array(count).fill(100), texts });
const withVideo = (asset: Asset, change: Partial<Track>): Asset => ({
  ...asset,
  renditions: asset.renditions.map((one) =>
    one.kind === 'video' ? { ...one, tracks: one.tracks.map((track) => ({ ...track, ...change })) } : one,
  ),
});
const breakAt = (number: number, seconds: number, ...lengths: number[]): FrozenBreak => ({
  id: `0-${number}`,
  at: flicks(seconds * FLICKS_PER_SECOND),
  ads: lengths.map((length, index) => ({
    adId: `0-${number}-${index}`,
    mediaId: `cx${25 * length}`,
    frames: 25 * length,
  })),
});
const write = (title: Title, breaks: FrozenBreak[], rung = 0, more: Partial<VodMediaOptions> = {}) =>
  writeVodMedia(presentationOf(title, breaks, START).spans, rung, title.ladder, { announces: true, ...more });

test('lists the whole presentation', () => {
  expect(write(titleOf([film('film')]), [breakAt(1, 8, 3)])).toBe(`#EXTM3U
#EXT-X-VERSION:6
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="https://origin.test/film/video0/init.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-03-01T00:00:00.000Z
#EXTINF:4.0,
https://origin.test/film/video0/1.m4s
#EXTINF:4.0,
https://origin.test/film/video0/2.m4s
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="/m/cx75/75/v0/init.mp4"
#EXT-X-DATERANGE:ID="0-1",CLASS="urn:midroll:break:2026",START-DATE="2026-03-01T00:00:08.000Z",DURATION=3.0,X-MIDROLL-BREAK="0-1"
#EXT-X-DATERANGE:ID="0-1-0",CLASS="urn:svta:advertising-wg:ad-creative-signaling",START-DATE="2026-03-01T00:00:08.000Z",DURATION=3.0,X-MIDROLL-BREAK="0-1",X-AD-CREATIVE-SIGNALING="${btoa(
    '{"version":2,"type":"slot","payload":[{"type":"linear","start":0,"duration":3,"identifiers":[{"scheme":"urn:midroll:ad:2026","value":"0-1-0"}],"tracking":[]}]}',
  )}"
#EXT-X-PROGRAM-DATE-TIME:2026-03-01T00:00:08.000Z
#EXTINF:2.0,
0-1-0/cx75/75/0/0.m4s
#EXTINF:1.0,
0-1-0/cx75/75/0/1.m4s
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="https://origin.test/film/video0/init.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-03-01T00:00:11.000Z
#EXTINF:4.0,
https://origin.test/film/video0/3.m4s
#EXTINF:4.0,
https://origin.test/film/video0/4.m4s
#EXT-X-ENDLIST
`);
});

function contentLines(text: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const [found, uri] of text.matchAll(/#EXTINF:[^\n]*\n(?:#EXT-X-BYTERANGE[^\n]*\n)?(https:[^\n]*)\n/g))
    lines.set(uri!, found);
  return lines;
}

test('the lines of content do not depend on where it is cut', () => {
  // 48 and 33 frames of 29.97 fps: hardly any border is a whole number of microseconds.
  const shape = { name: 'film', rate: { n: 30_000, d: 1001 }, sampleRate: 44_100 };
  const asset = syntheticAsset({ ...shape, segments: new Array(600).fill([48, 33]).flat() });
  const title = titleOf([asset]);
  const { cutPoints } = asset.parts[0]!;
  const cutAt = (...places: number[]): FrozenBreak[] =>
    places.map((place, index) => ({ ...breakAt(index + 1, 0, 1), at: flicks(cutPoints[place]!) }));
  // The last segment of sound ends with the picture, whose date is rounded.
  const linesOf = (text: string) => [...contentLines(text)].slice(0, -1);
  for (const rung of [0, 1]) {
    const whole = linesOf(write(titleOf([asset]), [], rung));
    expect(whole.length).toBeGreaterThan(500);
    for (const places of [[1, 2, 7], [cutPoints.length - 2], [0, 20, 21]])
      expect(linesOf(write(title, cutAt(...places), rung))).toEqual(whole);
  }
});

test('encrypted content has its key and the IV of each segment, and ads have none', () => {
  const hls = ['METHOD=AES-128,URI="https://keys.test/1"'];
  const linesOf = (change: Partial<Track>) =>
    write(titleOf([withVideo(film('film'), change)]), [breakAt(1, 8, 1)])
      .split('\n')
      .filter((line) => /^#EXT-X-(KEY|DISCONTINUITY$)|^#EXTINF/.test(line));
  const key = `#EXT-X-KEY:${hls[0]}`;
  expect(linesOf({ protection: { hls } })).toEqual([
    ...[key, '#EXTINF:4.0,', '#EXTINF:4.0,', '#EXT-X-DISCONTINUITY', '#EXT-X-KEY:METHOD=NONE', '#EXTINF:1.0,'],
    ...['#EXT-X-DISCONTINUITY', key, '#EXTINF:4.0,', '#EXTINF:4.0,'],
  ]);
  const iv = (number: number) => `${key},IV=0x${String(number).padStart(32, '0')}`;
  expect(linesOf({ protection: { hls, firstIv: 5 } })).toEqual([
    ...[iv(5), '#EXTINF:4.0,', iv(6), '#EXTINF:4.0,'],
    ...['#EXT-X-DISCONTINUITY', '#EXT-X-KEY:METHOD=NONE', '#EXTINF:1.0,', '#EXT-X-DISCONTINUITY'],
    ...[iv(7), '#EXTINF:4.0,', iv(8), '#EXTINF:4.0,'],
  ]);
});

const ownKey = ['METHOD=AES-128,URI="https://keys.test/init"'];
test.each([
  ['that is encrypted', undefined, 'KEY MAP EXTINF EXTINF NONE EXTINF KEY MAP EXTINF EXTINF'],
  ['that is clear', [], 'MAP KEY EXTINF EXTINF NONE EXTINF MAP KEY EXTINF EXTINF'],
  ['with a key of its own', ownKey, 'INIT MAP KEY EXTINF EXTINF NONE EXTINF INIT MAP KEY EXTINF EXTINF'],
])('an initialization section %s follows the key that applies to it', (_name, hlsOfInit, expected) => {
  const protection = { hls: ['METHOD=AES-128,URI="https://keys.test/1"'], ...(hlsOfInit && { hlsOfInit }) };
  const asset = withVideo(film('film'), { protection, init: { url: 'https://o.test/i.mp4' } });
  const tags = write(titleOf([asset]), [breakAt(1, 8, 1)])
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('#EXT-X-MAP:URI="https://o.test/i.mp4"')) return ['MAP'];
      if (line.startsWith('#EXTINF')) return ['EXTINF'];
      if (!line.startsWith('#EXT-X-KEY')) return [];
      return [line.includes('NONE') ? 'NONE' : line.includes('/init') ? 'INIT' : 'KEY'];
    });
  expect(tags.join(' ')).toBe(expected);
});

test('writes byte ranges', () => {
  const starts = Float64Array.from({ length: 4 }, (_, index) => 1000 + 500 * index);
  const url = 'https://o.test/v.mp4';
  const ranged = withVideo(film('film'), {
    init: { url, range: { start: 0, length: 800 } },
    urls: { kind: 'ranges', url, starts, lengths: new Float64Array(4).fill(500) },
  });
  const text = write(titleOf([ranged]), [breakAt(1, 12, 1)]);
  expect(text).toContain(`#EXT-X-MAP:URI="${url}",BYTERANGE="800@0"\n`);
  expect(text).toContain(`#EXTINF:4.0,\n#EXT-X-BYTERANGE:500@2500\n${url}\n#EXT-X-ENDLIST`);
});

test('text has segments of its own in content and in ads', () => {
  const text = write(titleOf([film('film', 2, ['en'])]), [breakAt(1, 4, 3)], 2);
  expect(text.split('\n').filter((line) => line.endsWith('.vtt'))).toEqual([
    '../../../m/film/0/2/0.vtt',
    '/m/cx75/75/t0/0.vtt',
    '/m/cx75/75/t0/1.vtt',
    '../../../m/film/0/2/1.vtt',
  ]);
});

test('announces nothing when announcements are off', () => {
  const title = titleOf([film('film')]);
  expect(write(title, [breakAt(1, 4, 3)], 0, { announces: false })).not.toContain('DATERANGE');
});

test('EXT-X-START is the same in the media playlist and in the multivariant playlist', () => {
  const title = titleOf([film('film')]);
  const startOffset = Math.round(9.5004 * FLICKS_PER_SECOND);
  for (const text of [write(title, [], 0, { startOffset }), writeMultivariant(title.declared, 's/', { startOffset })])
    expect(text.match(/^#EXT-X-START:.*$/gm)).toEqual(['#EXT-X-START:TIME-OFFSET=9.500,PRECISE=YES']);
});

test('rounding errors of EXTINF do not add up (law 6)', () => {
  // 37 frames are 1.2345666… s: each rounded on its own, three of them would be a microsecond too long.
  const ntsc = { n: 30_000, d: 1001 };
  const count = 99;
  const shape = { name: 'film', rate: ntsc };
  const text = write(titleOf([syntheticAsset({ ...shape, segments: new Array(count).fill(37) })]), []);
  const lengths = [...text.matchAll(/#EXTINF:([\d.]+),/g)].map(([, seconds]) => Math.round(Number(seconds) * 1e6));
  expect(lengths).toHaveLength(count);
  expect(lengths.reduce((sum, one) => sum + one)).toBe(Math.round((count * 37 * 1001 * 1e6) / 30_000));
});

test('lists the last segment as longer, in each rung', () => {
  const title = titleOf([film('film')]);
  const sumOf = (rung: number, longer: number): number =>
    [...write(title, [], rung, { longer }).matchAll(/#EXTINF:([\d.]+)/g)].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
  for (const rung of [0, 1]) expect(sumOf(rung, 18_000) - sumOf(rung, 0)).toBeCloseTo(0.018, 6);
});
