// SPDX-License-Identifier: Apache-2.0

import fc from 'fast-check';
import * as oracle from 'hls-parser';
import { describe, expect, test } from 'vitest';
import { growthOf, LINEAR } from '../../test/growthOf.ts';
import { lawRuns } from '../../test/lawRuns.ts';
import { naming } from '../../test/naming.ts';
import { finish } from '../time/sliced.ts';
import type { MediaPlaylist } from './mediaPlaylist.ts';
import { readingLiveMedia, readMedia } from './readMedia.ts';

const read = (text: string, sources = {}): MediaPlaylist => {
  const result = readMedia(text, sources);
  if ('refused' in result) throw new Error(result.refused);
  return result;
};

const head = '#EXTM3U\n#EXT-X-TARGETDURATION:6\n';

describe('readMedia', () => {
  test('reads the tags of the playlist', () => {
    const text = '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-MEDIA-SEQUENCE:42\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n#EXT-X-ENDLIST';
    expect(read(text)).toEqual({
      mediaSequence: 42,
      discontinuitySequence: 3,
      ended: true,
      iFramesOnly: false,
      markers: [],
      segments: [],
    });
    expect(read(head).ended).toBe(false);
    expect(read(`${head}#EXT-X-PLAYLIST-TYPE:VOD\n`).ended).toBe(true);
    expect(read(`${head}#EXT-X-I-FRAMES-ONLY\n`).iFramesOnly).toBe(true);
  });

  test('reads durations in microseconds, whole or decimal', () => {
    const lines = ['6,', '6.006,', '5.97333333,A, b', '2.0000005,', '.5,', '0,', '4'];
    const { segments } = read(`${head}${lines.map((line, i) => `#EXTINF:${line}\n${i}.ts\n`).join('')}`);
    expect(segments.map(({ micros }) => micros)).toEqual([6e6, 6006000, 5973333, 2000001, 500000, 0, 4e6]);
    expect(segments[2]).toMatchObject({ uri: '2.ts', line: 7 });
  });

  test('accepts every kind of line ending', () => {
    const text = `${head}#EXTINF:4,\na.ts\n#EXTINF:4,\nb.ts\n#EXT-X-ENDLIST\n`;
    for (const end of ['\r\n', '\r']) expect(read(text.replaceAll('\n', end))).toEqual(read(text));
  });

  test('continues byte ranges within one resource', () => {
    const ranged = (range: string, uri: string): string => `#EXTINF:4,\n#EXT-X-BYTERANGE:${range}\n${uri}\n`;
    const { segments } = read(head + ranged('100@20', 'a.mp4') + ranged('50', 'a.mp4') + ranged('7', 'a.mp4'));
    expect(segments.map(({ range }) => `${range?.length}@${range?.start}`)).toEqual(['100@20', '50@120', '7@170']);
    const other = { line: 8, code: 'RANGE_START', refused: naming(8, '"b.mp4"') };
    expect(readMedia(head + ranged('100@20', 'a.mp4') + ranged('50', 'b.mp4'))).toEqual(other);
  });

  test('applies EXT-X-MAP until the next one; its segments share one object', () => {
    const { segments } = read(`${head}#EXT-X-MAP:URI="i.mp4",BYTERANGE="700@16"
#EXTINF:4,
a
#EXTINF:4,
b
#EXT-X-MAP:URI="j.mp4",BYTERANGE="600"
#EXT-X-DISCONTINUITY
#EXTINF:4,
c`);
    expect(segments[0]?.map).toEqual({ line: 3, uri: 'i.mp4', range: { start: 16, length: 700 } });
    expect(segments[1]?.map).toBe(segments[0]?.map);
    expect(segments[2]?.map?.range).toEqual({ start: 0, length: 600 });
    expect(segments.map(({ discontinuity }) => discontinuity)).toEqual([false, false, true]);
  });

  test('applies keys by KEYFORMAT until METHOD=NONE', () => {
    const { segments } = read(`${head}#EXTINF:4,
clear
#EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0x01
#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"
#EXTINF:4,
both
#EXTINF:4,
again
#EXT-X-KEY:METHOD=AES-128,URI="k2"
#EXTINF:4,
rotated
#EXT-X-KEY:METHOD=NONE
#EXTINF:4,
open`);
    const uris = segments.map(({ keys }) => keys.map((key) => key.get('URI')?.value));
    expect(uris).toEqual([[], ['k1', 'skd://x'], ['k1', 'skd://x'], ['skd://x', 'k2'], []]);
    expect(segments[2]?.keys).toBe(segments[1]?.keys);
  });

  test('reads gaps and dates; ignores low-latency and unknown tags', () => {
    const { segments } = read(`${head}#EXT-X-PART-INF:PART-TARGET=0.3
#EXT-X-BITRATE:1500
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
#EXT-X-PART:DURATION=0.3,URI="p.mp4"
#EXT-X-SOMETHING-NEW
# plain comment
#EXTINF:4,
a
#EXT-X-GAP
#EXTINF:4,
b`);
    expect(segments[0]).toMatchObject({ programDateTime: '2026-01-01T00:00:00.000Z', gap: false });
    expect(segments[1]).toMatchObject({ gap: true });
    expect(segments[1]).not.toHaveProperty('programDateTime');
  });

  test('imports variables from the multivariant playlist and from its own URL', () => {
    const text = `${head}#EXT-X-DEFINE:IMPORT="cdn"
#EXT-X-DEFINE:QUERYPARAM="t"
#EXT-X-MAP:URI="{$cdn}/i.mp4"
#EXTINF:4,
{$cdn}/a.m4s?{$t}`;
    const { segments } = read(text, { url: 'https://e.com/m.m3u8?t=9', imports: new Map([['cdn', '//c']]) });
    expect(segments[0]).toMatchObject({ uri: '//c/a.m4s?9', map: { uri: '//c/i.mp4' } });
    expect(readMedia(text)).toEqual({ line: 3, code: 'IMPORT', refused: naming(3, '"cdn"') });
  });

  test.each([
    ['#EXTINF:-1,\na', 'EXTINF', '"-1"'],
    ['#EXTINF:NaN,\na', 'EXTINF', '"NaN"'],
    ['#EXTINF:1e9,\na', 'EXTINF', '"1e9"'],
    ['#EXTINF:,\na', 'EXTINF', '""'],
    ['a.ts', 'NO_EXTINF', '"a.ts"'],
    ['#EXT-X-MAP:BYTERANGE="1@1"', 'MAP_URI', '"BYTERANGE=\\"1@1\\""'],
    ['#EXT-X-MAP:URI="i",BYTERANGE="1@x"', 'BYTERANGE', '"1@x"'],
    ['#EXT-X-KEY:URI="k"', 'KEY_METHOD', '"URI=\\"k\\""'],
    ['#EXT-X-KEY:METHOD=AES-128', 'KEY_URI', '"METHOD=AES-128"'],
    ['#EXT-X-MEDIA-SEQUENCE:first', 'WHOLE_NUMBER', '"first"'],
  ])('reports %j with its line', (lines, code, actual) => {
    expect(readMedia(head + lines)).toEqual({ line: 3, code, refused: naming(3, actual) });
  });

  test('agrees with hls-parser on random playlists', () => {
    const segment = fc.record({
      millis: fc.integer({ min: 1, max: 12_000 }),
      uri: fc.stringMatching(/^[a-z0-9/._?=&%-]{1,30}$/),
      title: fc.stringMatching(/^[a-zA-Z0-9 ,]{0,10}$/),
      discontinuity: fc.boolean(),
      key: fc.option(fc.constantFrom('k1', 'k2')),
      map: fc.option(fc.constantFrom('i1', 'i2')),
      range: fc.option(fc.record({ length: fc.integer({ min: 1, max: 1e6 }), start: fc.nat(1e6) })),
    });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 12 }), fc.constantFrom('\n', '\r\n'), (list, eol) => {
        const lines = list.flatMap((each) => [
          ...(each.discontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
          ...(each.key ? [`#EXT-X-KEY:METHOD=AES-128,URI="${each.key}"`] : []),
          ...(each.map ? [`#EXT-X-MAP:URI="${each.map}"`] : []),
          ...(each.range ? [`#EXT-X-BYTERANGE:${each.range.length}@${each.range.start}`] : []),
          `#EXTINF:${(each.millis / 1000).toFixed(3)},${each.title}`,
          each.uri,
        ]);
        const text = ['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-TARGETDURATION:12', ...lines, '#EXT-X-ENDLIST'].join(eol);
        const theirs = oracle.parse(text) as oracle.types.MediaPlaylist;
        expect(
          read(text).segments.map((each) => ({
            uri: each.uri,
            duration: each.micros / 1e6,
            discontinuity: each.discontinuity,
            map: each.map?.uri,
            key: each.keys[0]?.get('URI')?.value,
            range: each.range && { length: each.range.length, offset: each.range.start },
          })),
        ).toEqual(
          theirs.segments.map((each) => ({
            uri: each.uri,
            duration: each.duration,
            discontinuity: Boolean(each.discontinuity),
            map: each.map?.uri,
            key: each.key?.uri,
            range: each.byterange && { length: each.byterange.length, offset: each.byterange.offset },
          })),
        );
      }),
      lawRuns(50),
    );
  });

  test('never throws', () => {
    const tags = [
      '#EXTINF:',
      '#EXT-X-MAP:',
      '#EXT-X-KEY:',
      '#EXT-X-BYTERANGE:',
      '#EXT-X-DEFINE:NAME="a",VALUE="b"',
      '{$a}',
    ];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...tags, '\n', 'a.ts\n', '4,\n'), fc.string())), (pieces) => {
        readMedia(`#EXTM3U\n${pieces.join('')}`);
      }),
    );
  });

  test('reads eight renditions of six hours in linear time', () => {
    const textOf = (length: number): string => {
      const lines = Array.from({ length }, (_, i) => `#EXTINF:2.002,\nhttps://cdn.example/asset/v1/seg-${i}.m4s?t=x`);
      return `${head}#EXT-X-MAP:URI="i.mp4"\n${lines.join('\n')}\n#EXT-X-ENDLIST\n`;
    };
    for (let i = 0; i < 8; i += 1) expect(read(textOf(10_800)).segments).toHaveLength(10_800);
    const growth = growthOf((length) => {
      const text = textOf(length);
      return () => read(text);
    });
    expect(growth).toBeLessThan(LINEAR);
  });

  const key = (n: number): string => `#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k",KEYFORMAT="${n}"`;

  test('limits what few lines can grow to', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, n) => key(n)).join('\n');
    expect(read(`${head}${keys(20)}\n${keys(20)}\n#EXTINF:4,\na`).segments[0]!.keys).toHaveLength(20);
    expect(readMedia(`${head}${keys(21)}`)).toMatchObject({ code: 'KEY_COUNT', line: 23 });
    const value = `${head}#EXT-X-DEFINE:NAME="a",VALUE="${'b'.repeat(60_000)}"\n`;
    expect(read(`${value}${'#EXTINF:4,\n{$a}\n'.repeat(60)}`).segments).toHaveLength(60);
    expect(readMedia(`${value}${'#EXTINF:4,\n{$a}\n'.repeat(100)}`)).toMatchObject({ code: 'LONG_VALUES' });
    expect(readMedia(`${value}#EXTINF:4,\n${'{$a}'.repeat(15_000)}`)).toMatchObject({ code: 'LONG_VALUES', line: 5 });
  });

  test('reads huge lines and endless tags in linear time', () => {
    const texts = [
      (size: number) => `${head}#EXTINF:${'9'.repeat(size)},\na`,
      (size: number) => `${head}#EXTINF:4,\n${'{$'.repeat(size)}`,
      (size: number) => `${head}${'#EXT-X-DEFINE:NAME="a",VALUE="b"\n'.repeat(size)}`,
      (size: number) => `${head}${'#EXT-X-KEY:METHOD=AES-128,URI="k"\n'.repeat(size)}`,
      (size: number) => head + Array.from({ length: size }, (_, n) => `${key(n)}\n`).join(''),
    ];
    for (const textOf of texts) {
      const growth = growthOf((size) => {
        const text = textOf(size);
        return () => readMedia(text);
      });
      expect(growth).toBeLessThan(LINEAR);
    }
  });
});

describe('a decimal comma', () => {
  const micros = (...values: string[]) =>
    read(head + values.map((value, i) => `#EXTINF:${value}\n${i}.ts\n`).join('')).segments.map((each) => each.micros);

  test('is read where the number has one', () => {
    expect(micros('0,500000,', '2,5,')).toEqual([500000, 2500000]);
    expect(micros('5,005', '5,005', '4,904')).toEqual([5005000, 5005000, 4904000]);
    expect(micros('5,005,a title', '5,006,b')).toEqual([5005000, 5006000]);
  });

  test('is not read in titles', () => {
    expect(micros('5,100', '5,101', '5,102')).toEqual([5e6, 5e6, 5e6]);
    expect(micros('5,005', '5.005,005')).toEqual([5e6, 5005000]);
    expect(micros('5,1,2')).toEqual([5e6]);
  });
});

test('many unknown lengths do not take longer each', () => {
  const growth = growthOf((size) => {
    const text = head + Array.from({ length: size }, (_, n) => `#EXTINF:${n % 2 ? 2 : -2},\n${n}.m4s\n`).join('');
    return () => finish(readingLiveMedia(text));
  }, 10_000);
  expect(growth).toBeLessThan(LINEAR);
});

test('an unknown length is the average of those like the one before it', () => {
  const lengths = (...values: string[]) => {
    const text = head + values.map((value, i) => `#EXTINF:${value},\n${i}.m4s\n`).join('');
    const playlist = finish(readingLiveMedia(text));
    return 'refused' in playlist ? playlist.refused : playlist.segments.map(({ micros }) => micros / 1e6);
  };
  expect(lengths('1.984', '-2.005', '2.005', '2.005', '2.006')).toEqual([1.984, 2, 2.005, 2.005, 2.006]);
  expect(lengths('x', '6', '1.2', '-1', '6')).toEqual([6, 6, 1.2, 1.2, 6]);
});
