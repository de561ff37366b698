// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import type { OriginReading } from '../../../live/origin.ts';
import { flicksToSeconds, type Millis, millisToFlicks, secondsToFlicks } from '../../../time/units.ts';
import type { Origin } from '../../ports.ts';
import { createHlsOriginReader, type HlsOriginReaderOptions } from './createHlsOriginReader.ts';

const BASE = 'https://o.example/live';
const START = Date.parse('2026-01-01T00:00:00Z');
type Rungs = HlsOriginReaderOptions['feed']['rungs'];

/** An origin in memory. A number is a status. */
function stage(files: Record<string, string | number | { to: string; text: string }>) {
  const requests: string[] = [];
  const state = { now: START };
  const origin: Origin = {
    async read(url) {
      requests.push(url.slice(BASE.length + 1));
      const found = files[url.slice(BASE.length + 1)] ?? 404;
      if (typeof found === 'number') return { ok: false, reason: `returned status ${found}`, status: found };
      const text = typeof found === 'string' ? found : found.text;
      const bytes = new TextEncoder().encode(text);
      return { ok: true, url: typeof found === 'string' ? url : found.to, status: 200, contentType: '', bytes };
    },
    save: async () => ({ ok: false, reason: 'is not stored' }),
  };
  const readerOn = (rungs: Rungs, path = 'main.m3u8?token=secret') => {
    const url = `${BASE}/${path}`;
    const reader = createHlsOriginReader({
      origin,
      feed: { url, rungs, serves: 'hls' },
      now: () => state.now as Millis,
    });
    const read = async (): Promise<OriginReading> => {
      const reading = await reader.read();
      if (reading === undefined) throw new Error('nothing has changed');
      if ('refused' in reading) throw new Error(reading.refused);
      return reading;
    };
    return { reader, read };
  };
  return { files, requests, state, readerOn };
}

const rung = (key: string, kind: 'video' | 'audio' | 'text') =>
  ({ key, kind, container: kind === 'text' ? 'vtt' : 'fmp4', codecs: '', timescale: 90_000 }) as unknown as Rungs[0];
const video = rung('v:640x360:900000:avc1.64001f', 'video');
const audio = rung('audio:a:English:en', 'audio');
const text = rung('subtitles:t:English:en', 'text');
const bare = rung('media', 'video');

const multivariant = (query = '') =>
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
const media = (first: number, count: number, tags: Record<number, string[]> = {}, head: string[] = []) =>
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
const date = (seconds: number) => `#EXT-X-PROGRAM-DATE-TIME:${new Date(START + seconds * 1000).toISOString()}`;

const segmentsOf = ({ renditions }: OriginReading, at = 0) => renditions[at]!.segments;
const numbers = (reading: OriginReading, at = 0) => segmentsOf(reading, at).map(({ number }) => number);
const times = (reading: OriginReading, at = 0) =>
  segmentsOf(reading, at).map(({ startsAt }) => startsAt && (startsAt.millis - START) / 1000);
const stretches = (reading: OriginReading) => segmentsOf(reading).map(({ stretch }) => stretch);

describe('segments', () => {
  it('have numbers, instants and absolute URLs; a reading is undefined while nothing has changed', async () => {
    const made = stage({
      'main.m3u8?token=secret': { to: `${BASE}/edge/main.m3u8`, text: multivariant() },
      'edge/v.m3u8': media(7, 2, { 7: [date(0), '#EXT-X-MAP:URI="i.mp4",BYTERANGE="10@5"'], 8: ['#EXT-X-GAP'] }),
      'edge/a.m3u8': media(7, 2, { 7: ['#EXT-X-DEFINE:IMPORT="folder"', '#EXT-X-BYTERANGE:5@1'] }).replace(
        '7.m4s',
        '{$folder}/7.m4s',
      ),
    });
    const { reader, read } = made.readerOn([video, audio]);
    expect(reader.targetDuration()).toBe(0);
    const reading = await read();
    expect(reading.renditions.map(({ key }) => key)).toEqual([video.key, audio.key]);
    expect(segmentsOf(reading)).toEqual([
      {
        number: 7,
        startsAt: { millis: START, rest: 0 },
        duration: secondsToFlicks(2),
        media: { url: `${BASE}/edge/7.m4s` },
        init: { url: `${BASE}/edge/i.mp4`, range: { start: 5, length: 10 } },
        stretch: 'd0',
      },
      {
        number: 8,
        startsAt: { millis: START + 2000, rest: 0 },
        duration: secondsToFlicks(2),
        media: { url: `${BASE}/edge/8.m4s` },
        init: { url: `${BASE}/edge/i.mp4`, range: { start: 5, length: 10 } },
        stretch: 'd0',
        isGap: true,
      },
    ]);
    expect(segmentsOf(reading, 1)[0]).toEqual({
      number: 7,
      duration: secondsToFlicks(2),
      media: { url: `${BASE}/edge/seg/7.m4s`, range: { start: 1, length: 5 } },
      stretch: 'd0',
    });
    expect(reader.targetDuration()).toBe(2);
    expect(await reader.read()).toBeUndefined();
    made.files['edge/a.m3u8'] = media(7, 3);
    expect(numbers(await read(), 1)).toEqual([7, 8, 9]);
    expect(made.requests.filter((path) => path.startsWith('main'))).toHaveLength(1);
    expect(made.requests.some((path) => path.includes('unused'))).toBe(false);
  });

  it('are those that are new, after the first reading, and those of the last 15 minutes', async () => {
    const made = stage({ 'live.m3u8': media(0, 21_600, { 0: [date(0)] }) });
    const { read } = made.readerOn([bare], 'live.m3u8');
    expect(numbers(await read())).toHaveLength(21_600);
    made.files['live.m3u8'] = media(3, 21_600, { 3: [date(6)] });
    const reading = await read();
    expect(numbers(reading)).toHaveLength(453);
    expect(times(reading).at(-1)).toBe(2 * 21_602);
    made.files['live.m3u8'] = media(1, 3, { 1: [date(50_000)] });
    expect(numbers(await read())).toEqual([1, 2, 3]);
  });

  it('have the date of the tags before them, else of those after them, up to a discontinuity', async () => {
    const made = stage({
      'live.m3u8': media(1, 7, {
        2: [date(2)],
        4: ['#EXT-X-DISCONTINUITY'],
        5: ['#EXT-X-DISCONTINUITY'],
        6: ['#EXT-X-PROGRAM-DATE-TIME:2026-01-01T02:01:40.0005+0200'],
      }),
    });
    const { read } = made.readerOn([bare], 'live.m3u8');
    const first = await read();
    expect(times(first)).toEqual([0, 2, 4, undefined, 98, 100, 102]);
    expect(segmentsOf(first)[6]!.startsAt!.rest).toBe(millisToFlicks(0.5));
    made.files['live.m3u8'] = media(3, 7, { 4: ['#EXT-X-DISCONTINUITY'], 5: ['#EXT-X-DISCONTINUITY'] });
    expect(times(await read())).toEqual([4, undefined, 98, 100, 102, 104, 106]);
  });

  it.each(['stated', 'not stated'])('keep their stretch while the window moves, with its number %s', async (how) => {
    const head = (gone: number) => (how === 'stated' ? [`#EXT-X-DISCONTINUITY-SEQUENCE:${gone}`] : []);
    const made = stage({ 'live.m3u8': media(1, 4, { 3: ['#EXT-X-DISCONTINUITY'] }, head(0)) });
    const { read } = made.readerOn([bare], 'live.m3u8');
    expect(stretches(await read())).toEqual(['d0', 'd0', 'd1', 'd1']);
    made.files['live.m3u8'] = media(4, 4, { 6: ['#EXT-X-DISCONTINUITY'] }, head(1));
    expect(stretches(await read())).toEqual(['d1', 'd1', 'd2', 'd2']);
    made.files['live.m3u8'] = media(7, 2, {}, head(2));
    expect(stretches(await read())).toEqual(['d2', 'd2']);
  });

  it('have keys with absolute URIs, and an IV where the number is the IV', async () => {
    const made = stage({
      'live.m3u8': media(30, 4, {
        30: ['#EXT-X-KEY:METHOD=AES-128,URI="k?t=1"'],
        32: [
          '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k",IV=0x1',
          '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://Key",KEYFORMAT="com.apple.streamingkeydelivery"',
        ],
        33: ['#EXT-X-KEY:METHOD=NONE'],
      }),
    });
    const { read } = made.readerOn([bare], 'live.m3u8');
    const iv = (number: number) => `IV=0x${number.toString(16).padStart(32, '0')}`;
    expect(segmentsOf(await read()).map(({ keys }) => keys)).toEqual([
      [`METHOD=AES-128,URI="${BASE}/k?t=1",${iv(30)}`],
      [`METHOD=AES-128,URI="${BASE}/k?t=1",${iv(31)}`],
      [
        `METHOD=SAMPLE-AES,URI="${BASE}/k",IV=0x1`,
        'METHOD=SAMPLE-AES,URI="skd://Key",KEYFORMAT="com.apple.streamingkeydelivery"',
      ],
      undefined,
    ]);
  });

  it('have the keys of their initialization section, where these differ', async () => {
    const key = (name: string) => `#EXT-X-KEY:METHOD=AES-128,URI="${name}",IV=0x1`;
    const map = '#EXT-X-MAP:URI="i.mp4"';
    const made = stage({
      'live.m3u8': media(30, 5, {
        30: [map, key('k')],
        31: [map],
        32: [key('l')],
        33: ['#EXT-X-KEY:METHOD=AES-128,URI="m"', map],
        34: ['#EXT-X-KEY:METHOD=NONE', map],
      }),
    });
    const { read } = made.readerOn([bare], 'live.m3u8');
    const list = (name: string) => `METHOD=AES-128,URI="${BASE}/${name}"`;
    expect(segmentsOf(await read()).map(({ initKeys }) => initKeys)).toEqual([
      [],
      undefined,
      [`${list('k')},IV=0x1`],
      [list('m')],
      undefined,
    ]);
  });

  it('end with the playlist', async () => {
    const made = stage({ 'live.m3u8': media(1, 2) });
    const { read } = made.readerOn([bare], 'live.m3u8');
    expect((await read()).isEnded).toBe(false);
    made.files['live.m3u8'] = `${media(1, 2)}\n#EXT-X-ENDLIST`;
    expect((await read()).isEnded).toBe(true);
  });
});

describe('markers', () => {
  const placed = ({ signals }: OriginReading) =>
    signals.map(({ kind, number, offset, duration }) => [
      kind,
      number,
      flicksToSeconds(offset),
      ...(duration ? [flicksToSeconds(duration)] : []),
    ]);

  it('are placed on the segment that follows, also if it is not listed yet', async () => {
    const made = stage({
      'live.m3u8': media(1, 3, { 2: ['#EXT-X-CUE-OUT:{$length}'], 4: ['#EXT-X-CUE-IN'] }, [
        '#EXT-X-DEFINE:NAME="length",VALUE="30"',
      ]),
    });
    const { read } = made.readerOn([bare], 'live.m3u8');
    expect(placed(await read())).toEqual([
      ['out', 2, 0, 30],
      ['in', 4, 0],
    ]);
  });

  it('are placed by their date if it is ahead, also after the last segment', async () => {
    const range = (seconds: number) =>
      `#EXT-X-DATERANGE:ID="${seconds}",START-DATE="${new Date(START + seconds * 1000).toISOString()}",PLANNED-DURATION=30,SCTE35-OUT=0xFC302500000000000000FFF01405000000017FEFFE00000000FE002932E00001000000000000`;
    const made = stage({ 'live.m3u8': media(1, 10, { 1: [date(0), range(8), range(27)] }) });
    const { read } = made.readerOn([bare], 'live.m3u8');
    expect(placed(await read())).toEqual([
      ['out', 5, 0, 30],
      ['out', 11, 7, 30],
    ]);
  });

  it('of another rendition are placed on the first one', async () => {
    const made = stage({
      'main.m3u8': multivariant(),
      'v.m3u8': media(101, 3, { 101: [date(0)] }),
      'a.m3u8': media(1, 4, { 1: [date(0.02)], 2: ['#EXT-X-CUE-OUT:30'], 4: ['#EXT-X-CUE-IN'] }),
    });
    const { read } = made.readerOn([video, audio], 'main.m3u8');
    expect(placed(await read())).toEqual([['out', 102, 0, 30]]);
  });

  it('that are invalid are reported with their line', async () => {
    const made = stage({ 'live.m3u8': media(1, 2, { 1: ['#EXT-OATCLS-SCTE35:rubbish'] }) });
    const { read } = made.readerOn([bare], 'live.m3u8');
    expect((await read()).signals).toMatchObject([
      { kind: 'unread', line: 4, warnings: [naming('EXT-OATCLS-SCTE35')] },
    ]);
  });
});

describe('renditions', () => {
  it('that are declared in another way are found by their size or language', async () => {
    const changed = multivariant()
      .replace('BANDWIDTH=900000', 'BANDWIDTH=911111')
      .replace('GROUP-ID="a",NAME="English"', 'GROUP-ID="sound",NAME="main"');
    const made = stage({ 'main.m3u8': changed, 'v.m3u8': media(1, 1), 'a.m3u8': media(2, 1) });
    const { read } = made.readerOn([video, audio, rung('subtitles:t:Svenska:sv', 'text')], 'main.m3u8');
    const reading = await read();
    expect(reading.renditions.map(({ key }) => key)).toEqual([video.key, audio.key, 'subtitles:t:Svenska:sv']);
    expect([numbers(reading), numbers(reading, 1), numbers(reading, 2)]).toEqual([[1], [2], []]);
    expect(reading.warnings).toEqual([naming(video.key), naming(audio.key), naming('sv')]);
  });

  it('that are new are named, and not used', async () => {
    const made = stage({ 'main.m3u8': multivariant(), 'v.m3u8': media(1, 1) });
    const { read } = made.readerOn([video], 'main.m3u8');
    expect((await read()).warnings).toEqual([]);
    made.files['main.m3u8'] = `${multivariant()}\n#EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080\nw.m3u8`;
    made.state.now += 300_000;
    expect((await read()).warnings).toEqual([naming('1920x1080')]);
  });

  it('that are not there any more are a failure', async () => {
    const made = stage({ 'main.m3u8': multivariant() });
    const { reader } = made.readerOn([rung('v:1920x1080:5000000:', 'video')], 'main.m3u8');
    expect(await reader.read()).toMatchObject({ refused: naming('v:1920x1080:5000000:') });
  });

  it('may define variables by the query of their own URL; parts are reported once', async () => {
    const parts = '#EXT-X-PART:DURATION=0.5,URI="p.mp4"\n';
    const made = stage({
      'live.m3u8?run=7': `${media(1, 1, {}, ['#EXT-X-DEFINE:QUERYPARAM="run"']).replace('1.m4s', '{$run}/1.m4s')}\n${parts}${parts}`,
    });
    const { read } = made.readerOn([bare], 'live.m3u8?run=7');
    const reading = await read();
    expect(segmentsOf(reading)[0]!.media.url).toBe(`${BASE}/7/1.m4s`);
    expect(reading.warnings).toEqual([naming('EXT-X-PART')]);
  });
});

describe('failures', () => {
  it('are refused if they list more than can be parsed again and again', async () => {
    const long = (count: number, seconds: number) => media(0, count).replaceAll('#EXTINF:2.000', `#EXTINF:${seconds}`);
    for (const [count, seconds, named] of [
      [50_001, 2, 50_000],
      [2000, 0.01, 0.1],
    ] as const) {
      const { reader } = stage({ 'main.m3u8?token=secret': long(count, seconds) }).readerOn([bare]);
      expect(await reader.read()).toEqual({ refused: naming('main.m3u8', named) });
    }
  });
  it('name the playlist and the status, without secrets', async () => {
    const made = stage({ 'main.m3u8?token=secret': multivariant('?token=secret') });
    const { reader } = made.readerOn([video]);
    expect(await reader.read()).toEqual({ refused: `${BASE}/v.m3u8 returned status 404`, status: 404 });
    made.files['v.m3u8?token=secret'] = '<html>';
    expect(await reader.read()).toMatchObject({ refused: naming(`${BASE}/v.m3u8`, 'line 1') });
    made.files['v.m3u8?token=secret'] = media(1, 1);
    expect(await reader.read()).toMatchObject({ renditions: [{ key: video.key }] });
  });

  it('of subtitles leave these out; other renditions that were read meanwhile are reported', async () => {
    const made = stage({ 'main.m3u8': multivariant(), 'v.m3u8': media(1, 1), 't.m3u8': media(1, 1), 'a.m3u8': 500 });
    const { reader, read } = made.readerOn([video, audio, text], 'main.m3u8');
    expect(await reader.read()).toMatchObject({ status: 500 });
    made.files['a.m3u8'] = media(1, 1);
    expect(numbers(await read(), 2)).toEqual([1]);
    made.files['t.m3u8'] = 500;
    made.files['v.m3u8'] = media(1, 2);
    const reading = await read();
    expect(reading.warnings).toEqual([naming('t.m3u8', 500)]);
    expect(reading.renditions.map(({ segments }) => segments.length)).toEqual([2, 1, 1]);
    expect(await reader.read()).toBeUndefined();
  });

  it('of a rendition that has another bit rate are prevented: the nearest one is used', async () => {
    const made = stage({ 'main.m3u8': multivariant(), 'v.m3u8': media(1, 1) });
    const { reader, read } = made.readerOn([rung('v:640x360:870000:avc1.64001e', 'video')], 'main.m3u8');
    expect((await read()).warnings).toEqual([naming('870000', '900000')]);
    made.files['main.m3u8'] = multivariant().replace('640x360', '320x180');
    expect(await reader.read()).toBeUndefined();
    const smaller = await made.readerOn([video], 'main.m3u8').read();
    expect(smaller.warnings).toEqual([naming('640x360', '320x180')]);
    made.files['main.m3u8'] = multivariant().replace(/avc1/g, 'hvc1');
    made.files['v.m3u8'] = 404;
    expect(await reader.read()).toMatchObject({ refused: naming('870000') });
    expect(await made.readerOn([video], 'main.m3u8').reader.read()).toMatchObject({ refused: naming(video.key) });
  });

  it('with 4xx lead to the new URLs of the multivariant playlist, which is also read every 5 minutes', async () => {
    const made = stage({ 'main.m3u8': multivariant('?t=1'), 'v.m3u8?t=1': media(1, 1) });
    const { reader, read } = made.readerOn([video], 'main.m3u8');
    await read();
    made.files['main.m3u8'] = multivariant('?t=2');
    made.files['v.m3u8?t=1'] = 403;
    made.files['v.m3u8?t=2'] = media(1, 2);
    expect(numbers(await read())).toEqual([1, 2]);
    made.requests.length = 0;
    made.state.now += 300_000;
    expect(await reader.read()).toBeUndefined();
    expect(made.requests).toEqual(['main.m3u8', 'v.m3u8?t=2']);
    made.state.now += 299_999;
    made.files['main.m3u8'] = 500;
    expect(await reader.read()).toBeUndefined();
    expect(made.requests).toHaveLength(3);
  });
});
