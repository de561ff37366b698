// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { finish } from '../../../time/sliced.ts';
import { flicksToSeconds } from '../../../time/units.ts';
import type { Origin } from '../../ports.ts';
import { createManifestRequester, type FetchedManifest } from '../../source/mediaReader.ts';
import { createRungPlaylist } from './rungPlaylist.ts';

const URL = 'https://o.example/live/v.m3u8';
const playlist = (first: number) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:2', `#EXT-X-MEDIA-SEQUENCE:${first}`, '#EXTINF:2,', `${first}.m4s`].join('\n');

test('a playlist that has not changed is neither sent nor parsed again', async () => {
  const server = { text: playlist(1), sent: 0 };
  const origin: Pick<Origin, 'read'> = {
    async read(url, { headers } = {}) {
      const etag = `"${server.text.length} ${server.text}"`;
      if (headers?.['if-none-match'] === etag) return { ok: false, reason: 'returned status 304', status: 304 };
      server.sent += 1;
      return { ok: true, url, status: 200, contentType: '', etag, bytes: new TextEncoder().encode(server.text) };
    },
  };
  const request = createManifestRequester(origin as Origin, 1);
  const rung = createRungPlaylist();
  const read = async () => (await request(URL)) as FetchedManifest;
  const first = await read();
  expect(finish(rung.take(first, new Map()))).toBe(true);
  const listed = rung.listed();
  for (let reading = 0; reading < 10; reading += 1) {
    const again = await read();
    expect(again.text).toBe(first.text);
    expect(finish(rung.take(again, new Map()))).toBe(false);
    expect(rung.listed()).toBe(listed);
  }
  expect(server.sent).toBe(1);
  server.text = playlist(2);
  expect(finish(rung.take(await read(), new Map()))).toBe(true);
  expect(rung.listed()?.segments.map(({ number }) => number)).toEqual([2]);
});

const DAY = Date.parse('2026-01-01T00:00:00Z');

type Listed = {
  readonly first?: number;
  readonly count?: number;
  readonly seconds?: number;
  readonly isDated?: boolean;
};

/** Segments with a key and an initialization section; the first has line 6. */
function lines({ first = 10, count = 10, seconds = 2, isDated = false }: Listed = {}): string[] {
  const date = (number: number) => `#EXT-X-PROGRAM-DATE-TIME:${new Date(DAY + number * seconds * 1000).toISOString()}`;
  return [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:2',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k1",IV=0x01',
    '#EXT-X-MAP:URI="i.mp4"',
    ...Array.from({ length: count }, (_, index) => first + index).flatMap((number) => [
      ...(isDated ? [date(number)] : []),
      '#EXTINF:2.000,',
      `${number}.m4s`,
    ]),
  ];
}

function listedAfter(...texts: readonly (readonly string[])[]) {
  const rung = createRungPlaylist();
  for (const text of texts) {
    const taken = finish(rung.take({ text: text.join('\n'), url: URL }, new Map()));
    if (typeof taken !== 'boolean') throw new Error(taken.refused);
  }
  const { segments, warnings } = rung.listed()!;
  return {
    warnings,
    segments,
    numbers: segments.map(({ number }) => number),
    gaps: segments.filter(({ isGap }) => isGap).map(({ number }) => number),
    seconds: segments.map(({ duration }) => flicksToSeconds(duration)),
  };
}

const replaced = (text: readonly string[], line: number, ...by: string[]): string[] =>
  text.map((_, index) => index).flatMap((index) => (index === line - 1 ? by : [text[index]!]));
const TEN = Array.from({ length: 10 }, (_, index) => 10 + index);

/** Line 10 is the EXTINF of segment 12, and line 11 its URI. */
test.each([
  ['a negative EXTINF', 10, ['#EXTINF:-1.600,'], '"-1.600"'],
  ['NaN', 10, ['#EXTINF:NaN,'], '"NaN"'],
  ['a huge EXTINF', 10, ['#EXTINF:99999999999,'], '"99999999999"'],
  ['an EXTINF of days', 10, ['#EXTINF:999999,'], '"999999"'],
  ['no number', 10, ['#EXTINF:,'], '""'],
  ['EXTINF without a colon', 10, ['#EXTINF 2,'], '"12.m4s"', 11],
  ['no EXTINF', 10, [], '"12.m4s"', 10],
  ['no URI', 11, [], '"#EXTINF"'],
  ['an EXT-X-BYTERANGE that is none', 10, ['#EXT-X-BYTERANGE:x@1', '#EXTINF:2.000,'], '"x@1"'],
  ['a range without a start', 10, ['#EXT-X-BYTERANGE:5', '#EXTINF:2.000,'], '"12.m4s"', 12],
  ['a URI that is none', 11, ['http://[/12.m4s'], 'http', 10],
  ['a URI of another protocol', 11, ['ftp://o.example/12.m4s'], 'http', 10],
])('%s costs one segment', (_what, line, by, actual, warned = line) => {
  const { numbers, gaps, seconds, warnings } = listedAfter(replaced(lines(), line, ...by));
  expect([numbers, gaps]).toEqual([TEN, [12]]);
  expect(seconds).toEqual(TEN.map(() => 2));
  expect(warnings).toEqual([naming(`line ${warned}`, actual)]);
});

test.each([
  ['a target duration with a fraction', 2, '#EXT-X-TARGETDURATION:2.5', '"2.5"'],
  ['text', 10, '#EXTINF:2,\n<b>oops', '"<b>oops"'],
  ['a bit rate that is none', 8, '#EXT-X-BITRATE:x\n#EXTINF:2,', '"x"'],
  ['a date that is none', 8, '#EXT-X-PROGRAM-DATE-TIME:soon\n#EXTINF:2,', '"soon"'],
  ['a definition without a value', 4, '#EXT-X-DEFINE:NAME="a"', 'VALUE'],
  ['a quote that is not closed', 5, '#EXT-X-MAP:URI="i.mp4', '"URI=\\"i.mp4"'],
  ['a null', 10, '#EXTINF:2,\0', undefined],
])('%s costs no segment', (_what, line, by, actual) => {
  const { numbers, gaps, warnings, segments } = listedAfter(replaced(lines(), line, ...by.split('\n')));
  expect([numbers, gaps]).toEqual([TEN, []]);
  expect(segments[3]?.init?.url).toMatch(/i\.mp4$/);
  expect(warnings).toEqual(actual === undefined ? [] : [naming(actual)]);
});

test('a segment whose length is not known lasts until the date of the next one', () => {
  const text = lines({ isDated: true, seconds: 1.6 });
  const dated = text.filter((line) => !line.startsWith('#EXT-X-PROGRAM') || /:(19\.2|20\.8)/.test(line));
  const at = dated.indexOf('12.m4s');
  const { seconds } = listedAfter(replaced(dated, at, '#EXTINF:-2.000,'));
  expect(seconds[2]).toBeCloseTo(1.6);
});

test('one EXTINF that is far too long is corrected by the date of the next segment', () => {
  const text = lines({ isDated: true });
  const { seconds, gaps } = listedAfter(replaced(text, text.indexOf('12.m4s'), '#EXTINF:600.000,'));
  expect([seconds, gaps]).toEqual([TEN.map(() => 2), []]);
});

test('a key or an initialization section that cannot be read costs the segments for which none is known', () => {
  const known = lines({ first: 10 });
  const next = lines({ first: 12 });
  for (const [line, by] of [
    [4, '#EXT-X-KEY:METHOD=SAMPLE-AES'],
    [4, '#EXT-X-KEY:URI="k1"'],
  ] as const) {
    const { gaps, segments } = listedAfter(known, replaced(next, line, by));
    expect(gaps).toEqual([20, 21]);
    expect(segments[0]?.keys).toEqual(listedAfter(known).segments[0]?.keys);
  }
  for (const by of [
    '#EXT-X-MAP:BYTERANGE="1@1"',
    '#EXT-X-MAP:URI="i.mp4",BYTERANGE="x"',
    '#EXT-X-MAP:URI="ftp://x/i"',
  ]) {
    const { gaps, segments, warnings } = listedAfter(known, replaced(next, 5, by));
    expect(gaps).toEqual([]);
    expect(segments.at(-1)?.init).toEqual({ url: 'https://o.example/live/i.mp4' });
    expect(warnings).toEqual([naming('line 5')]);
  }
  const rotated = replaced(lines(), 10, '#EXT-X-KEY:METHOD=AES-128', '#EXTINF:2,');
  const twice = replaced(rotated, 13, '#EXT-X-KEY:METHOD=AES-128,URI="k2",IV=0x02', '#EXTINF:2,');
  expect(listedAfter(twice).gaps).toEqual([12]);
});

test.each(['first', '-4', '99999999999999999999', ''])(
  'segments keep their numbers after a media sequence %j',
  (value) => {
    const next = replaced(lines({ first: 13 }), 3, `#EXT-X-MEDIA-SEQUENCE:${value}`);
    const { numbers, gaps } = listedAfter(lines({ first: 10 }), next);
    expect(numbers).toEqual(TEN.map((number) => number + 3));
    expect(gaps).toEqual([]);
    expect(listedAfter(lines({ first: 10 }), next, lines({ first: 14 })).numbers[0]).toBe(14);
  },
);

test('a playlist of which nothing can be used is refused with its first line', () => {
  const rung = createRungPlaylist();
  const text = lines().join('\n').replaceAll('#EXTINF:2.000', '#EXTINF:-2');
  expect(finish(rung.take({ text, url: URL }, new Map()))).toEqual({ refused: naming(URL, 'line 6', '"-2"') });
});

describe('EXTINF that contradicts the dates', () => {
  const whole = (text: readonly string[]) => text.map((line) => line.replace(/(:\d\d)\.\d{3}Z/, '$1+00:00'));

  test.each([
    ['by a quarter', { seconds: 1.5 }, 1.5],
    ['by a quarter, with whole dates', { seconds: 1.5, isWhole: true }, 1.5],
    ['by 4 per cent', { seconds: 1.92 }, 1.92],
    ['by too little', { seconds: 2.5 }, 2.5],
  ])('all the time (%s) is corrected', (_what, { seconds, ...more }, expected) => {
    const texts = Array.from({ length: 60 }, (_, index) => lines({ first: index, count: 10, seconds, isDated: true }));
    const made = listedAfter(...('isWhole' in more ? texts.map(whole) : texts));
    const mean = made.seconds.reduce((sum, each) => sum + each, 0) / made.seconds.length;
    expect(Math.abs(mean / expected - 1)).toBeLessThan(0.002);
    expect(made.warnings).toEqual([naming('EXTINF', 'EXT-X-PROGRAM-DATE-TIME', '2 s', `${expected} s`)]);
  });

  test('with whole seconds of different lengths is replaced by the times between the dates', () => {
    const text = lines({ count: 12 }).flatMap((line, index) => {
      const [, number] = /^(\d+)\.m4s$/.exec(line) ?? [];
      if (/^#EXTINF/.test(line)) return [`#EXTINF:${2 + (index % 3 === 0 ? 1 : 0)},`];
      if (number === undefined) return [line];
      const date = new Date(DAY + 197 + Number(number) * 2000 + (Number(number) % 2)).toISOString();
      return [`#EXT-X-PROGRAM-DATE-TIME:${date}`, line];
    });
    const { seconds, warnings } = listedAfter(text);
    expect(seconds.slice(0, -1).map((each) => Math.round(each))).toEqual(Array.from({ length: 11 }, () => 2));
    expect(warnings).toEqual([]);
  });

  test('no longer is when another encoder states no dates', () => {
    const dated = Array.from({ length: 20 }, (_, index) =>
      lines({ first: index, count: 10, seconds: 1.5, isDated: true }),
    );
    const other = lines({ first: 1, count: 10, seconds: 2 }).map((line) => line.replace(/^(\d+\.m4s)$/, 'other/$1'));
    expect(listedAfter(...dated, other).seconds).toEqual(TEN.map(() => 2));
  });

  test.each([
    ['that are exact', (number: number) => number * 2],
    ['that are truncated', (number: number) => Math.floor(number * 2.0001)],
    ['that jump once', (number: number) => number * 2 + (number > 15 ? 5 : 0)],
    ['with jitter', (number: number) => number * 2 + (number % 3) / 10],
    ['that drift', (number: number) => number * 2.002],
  ])('is not assumed of dates %s', (_what, seconds) => {
    const text = lines({ count: 12 }).flatMap((line) => {
      const [, number] = /^(\d+)\.m4s$/.exec(line) ?? [];
      return number === undefined
        ? [line]
        : [`#EXT-X-PROGRAM-DATE-TIME:${new Date(DAY + seconds(Number(number)) * 1000).toISOString()}`, line];
    });
    expect(listedAfter(text)).toMatchObject({ warnings: [], seconds: Array.from({ length: 12 }, () => 2) });
  });
});
