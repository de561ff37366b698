// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { loadLoop } from '../../../../test/live/origin/media/mediaLoop.ts';
import { memoryOrigin } from '../../../../test/live/origin/memoryOrigin.ts';
import { naming } from '../../../../test/naming.ts';
import { writeStppInit, writeStppSegment } from '../../../subtitles/mp4Text.ts';
import { millis } from '../../../time/units.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Refusal } from '../../source/presentation.ts';
import { analyseOrigin } from '../analyseOrigin.ts';
import type { SampledOrigin } from '../originAnalysis.ts';
import { sampleHlsOrigin } from './sampleHlsOrigin.ts';

const BASE = 'https://origin.test/live/';
const STARTED_AT = Date.parse('2026-11-01T10:00:00Z');
const loop = await loadLoop('cmaf');

type Files = Readonly<Record<string, string | Uint8Array | undefined>>;

type Listing = {
  readonly first?: number;
  readonly count?: number;
  /** Milliseconds; undefined: no dates. */
  readonly startsAt?: number | undefined;
  readonly before?: Readonly<Record<number, string>>;
  readonly head?: string;
  readonly end?: string;
};

function playlist(name: string, listing: Listing = {}): string {
  const { first = 100, count = 6, before = {}, head = '', end = '' } = listing;
  const startsAt = 'startsAt' in listing ? listing.startsAt : STARTED_AT + (first - 100) * 2000;
  const lines = [`#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:${first}`, head];
  lines.push(`#EXT-X-MAP:URI="${name}.mp4"`);
  for (let index = 0; index < count; index += 1) {
    const date = startsAt === undefined ? undefined : new Date(startsAt + index * 2000).toISOString();
    if (date !== undefined) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${date}`);
    lines.push(before[first + index] ?? '', '#EXTINF:2.000,', `${name}-${first + index}.m4s`);
  }
  return [...lines, end].filter(Boolean).join('\n');
}

const MASTER = [
  '#EXTM3U',
  '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="a0.m3u8"',
  '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="aac"',
  'v0.m3u8',
  '#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2",AUDIO="aac"',
  'v1.m3u8?token=1',
].join('\n');

const KEYS = [
  'v:640x360:900000:avc1.64001e,mp4a.40.2',
  'v:320x180:400000:avc1.64000d,mp4a.40.2',
  'audio:aac:English:en',
];

/** @param files replaced, or removed by `undefined`. A file that is another file's URL redirects to it */
function origin(files: Files) {
  const media = loop.renditions.flatMap(({ name, init, segments }) => [
    [`${name}.mp4`, init!],
    ...Array.from({ length: 30 }, (_, index) => [
      `${name}-${90 + index}.m4s`,
      segments[index % segments.length]!.bytes,
    ]),
  ]);
  const playlists = Object.fromEntries(['v0', 'v1', 'a0'].map((name) => [`${name}.m3u8`, playlist(name)]));
  const all: Files = { ...Object.fromEntries(media), 'master.m3u8': MASTER, ...playlists, ...files };
  return memoryOrigin((requested) => {
    const file = all[requested.replace(BASE, '').replace(/\?.*/, '')];
    const isMoved = typeof file === 'string' && file.startsWith(BASE);
    const [url, body] = isMoved ? [file, all[file.replace(BASE, '')]] : [requested, file];
    return body && { body, url };
  });
}

const sample = (files: Files = {}, path = 'master.m3u8') => sampleHlsOrigin(BASE + path, origin(files));

function analysed(files: Files) {
  const sample = { hls: sampleHlsOrigin, dash: sampleHlsOrigin };
  const deps = { origin: origin(files), sample, now: () => millis(STARTED_AT), log: () => undefined };
  return analyseOrigin(deps, `${BASE}master.m3u8`);
}

async function sampled(files?: Files, path?: string): Promise<SampledOrigin> {
  const found = await sample(files, path);
  if ('refused' in found) throw new Error(found.refused);
  return found;
}

const refused = async (files: Files): Promise<string> => ((await sample(files)) as Refusal).refused;

const measured = ({ renditions }: SampledOrigin): number[][] =>
  renditions.map(({ tracks: [track] }) =>
    Array.from({ length: track!.count }, (_, index) => {
      const { url } = segmentUrl({ urls: track!.urls, borders: track!.nominalBorders }, index);
      return Number(/-(\d+)\./.exec(url)![1]);
    }),
  );

const same = (numbers: number[]) => [numbers, numbers, numbers];

test('measures the newest segments, and reports the window of the first rendition', async () => {
  const found = await sampled();
  expect(found).toMatchObject({ format: 'hls', targetDuration: 2, window: { seconds: 12, segments: 6 } });
  expect(found).toMatchObject({ hasDates: true, encryption: [], warnings: [] });
  expect(found.renditions.map(({ id }) => id)).toEqual(KEYS);
  expect(found.reading.renditions).toMatchObject(KEYS.map((key) => ({ key, segments: { length: 6 } })));
  expect(measured(found)).toEqual(same([103, 104, 105]));
  expect(found.reading.isEnded).toBe(false);
});

describe('the sample', () => {
  test('is on one side of a discontinuity, with three segments if there are as many', async () => {
    const cut = (name: string) => [`${name}.m3u8`, playlist(name, { before: { 104: '#EXT-X-DISCONTINUITY' } })];
    const found = await sampled(Object.fromEntries(['v0', 'v1', 'a0'].map(cut)));
    expect(measured(found)).toEqual(same([101, 102, 103]));
  });

  test('ends where the slowest rendition ends, whatever its numbers are', async () => {
    const late = playlist('a0', { first: 92, count: 5, startsAt: STARTED_AT });
    const found = await sampled({ 'a0.m3u8': late });
    expect(measured(found)).toEqual([
      [102, 103, 104],
      [102, 103, 104],
      [94, 95, 96],
    ]);
  });

  test('has no missing segment', async () => {
    const found = await sampled({ 'v1.m3u8': playlist('v1', { before: { 104: '#EXT-X-GAP' } }) });
    expect(measured(found)).toEqual(same([101, 102, 103]));
  });

  test.each([
    ['numbers', 100, 5, [102, 103, 104]],
    ['the end', 92, 6, [95, 96, 97]],
  ])('is found by %s without dates', async (_by, first, count, expected) => {
    const startsAt = undefined;
    const found = await sampled({
      'v0.m3u8': playlist('v0', { startsAt }),
      'v1.m3u8': playlist('v1', { startsAt }),
      'a0.m3u8': playlist('a0', { first, count, startsAt }),
    });
    expect(measured(found).at(-1)).toEqual(expected);
    expect(found.hasDates).toBe(false);
    expect(found.warnings).toEqual([naming('EXT-X-PROGRAM-DATE-TIME')]);
  });
});

test('a media playlist without a multivariant playlist is one rendition', async () => {
  const { renditions, url } = await sampled({ 'moved.m3u8': `${BASE}v0.m3u8` }, 'moved.m3u8');
  expect(renditions.map(({ id, kind, where }) => [id, kind, where])).toEqual([['media', 'video', 'v0.m3u8']]);
  expect(url).toBe(`${BASE}v0.m3u8`);
});

test('warns of what is left out, with its line', async () => {
  const found = await sampled({
    'master.m3u8': `${MASTER}\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1000,URI="i.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=7\nnone.m3u8`,
    'v0.m3u8': playlist('v0', { end: '#EXT-X-PART:DURATION=0.5,URI="p.m4s"' }),
  });
  expect(found.renditions).toHaveLength(3);
  expect(found.warnings).toEqual(
    expect.arrayContaining([naming('line 7', 'I-frame'), naming('EXT-X-PART'), naming('line 8', 'none.m3u8', 404)]),
  );
});

test('warns of renditions that no rung can play', async () => {
  const audio = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="English",LANGUAGE="en",URI="a1.m3u8"';
  const unused = `${audio.replace('low', 'none').replace('a1', 'a2')}\n#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=9,URI="i.m3u8"`;
  const found = await sampled({
    'master.m3u8': `${MASTER}\n${audio}\n${unused}\n#EXT-X-STREAM-INF:BANDWIDTH=300000,AUDIO="low"\nv1.m3u8?token=1`,
    'a1.m3u8': playlist('a0'),
  });
  expect(found.renditions).toHaveLength(3);
  const expected = [naming('line 7', 'same audio'), naming('line 8', '"none"'), naming('line 9', 'images')];
  expect(found.warnings).toEqual(expect.arrayContaining(expected));
});

test('of redundant variants, measures the first whose media can be read, and names all if none can', async () => {
  const again = MASTER.replace('v0.m3u8', 'w0.m3u8').split('\n').slice(2, 4).join('\n');
  const files = { 'master.m3u8': `${MASTER}\n${again}`, 'w0.m3u8': playlist('v0') };
  const first = await sampled(files);
  expect(first.renditions.map(({ id }) => id)).toEqual(KEYS);
  expect(first.warnings).toContainEqual(naming('line 7', 'redundant'));
  for (const dead of [{ 'v0.m3u8': undefined }, { 'v0.m3u8': playlist('none') }]) {
    const { renditions, warnings } = await sampled({ ...files, ...dead });
    expect(renditions.map(({ id }) => id).sort()).toEqual([`${KEYS[0]}#2`, ...KEYS.slice(1)].sort());
    expect(warnings.join()).toEqual(naming('line 3'));
  }
  const single = again.replace('#EXT', '#EXTM3U\n#EXT');
  const none = {
    'master.m3u8': `${single.replace('w0', 'v0')}\n${again}`,
    'v0.m3u8': playlist('x'),
    'w0.m3u8': playlist('y'),
  };
  expect(await refused(none)).toEqual(naming('x.mp4', 'y.mp4'));
});

test('reports markers with their lines, of the first rendition that has them', async () => {
  const cue = { 103: '#EXT-X-CUE-OUT:8', 104: '#EXT-X-CUE-OUT:what' };
  const { reading } = await sampled({ 'a0.m3u8': playlist('a0', { before: cue }) });
  expect(reading.signals[0]).toMatchObject({ kind: 'out', number: 103, offset: 0, source: 'EXT-X-CUE-OUT' });
  expect(reading.signals[1]).toMatchObject({ number: 104, warnings: [naming('EXT-X-CUE-OUT', 'what')] });
});

test('lists TTML and WebVTT beside the video, each with its own segments', async () => {
  const text = (name: string, uri: string) =>
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="${name}",LANGUAGE="${name}",URI="${uri}"`;
  const numbers = Array.from({ length: 6 }, (_, index) => 100 + index);
  const ttml = numbers.map((number) => [`t0-${number}.m4s`, writeStppSegment(1, number * 2000, number * 2000 + 2000)]);
  const { playable, warnings } = await analysed({
    'master.m3u8': `${MASTER.replaceAll('AUDIO="aac"', 'AUDIO="aac",SUBTITLES="subs"')}\n${text('en', 't0.m3u8')}\n${text('sv', 't1.m3u8')}`,
    't0.m3u8': playlist('t0'),
    't0.mp4': writeStppInit(1000),
    ...Object.fromEntries(ttml),
    't1.m3u8': playlist('t1', { count: 2 })
      .replace(/#EXT-X-MAP.*\n/, '')
      .replaceAll('.m4s', '.vtt'),
  });
  expect(warnings).toEqual([]);
  expect(playable!.asset.renditions.slice(-2)).toMatchObject([
    { id: 'subtitles:subs:en:en', kind: 'text', container: 'fmp4', codecs: 'stpp', language: 'en' },
    { id: 'subtitles:subs:sv:sv', kind: 'text', container: 'vtt', language: 'sv' },
  ]);
  expect(playable).toMatchObject({ serves: 'both' });
});

test('an origin may have sound only', async () => {
  const { playable } = await analysed({ 'master.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9000\na0.m3u8' });
  expect(playable!.asset.renditions).toMatchObject([{ id: 'v::9000:', kind: 'audio', codecs: 'mp4a.40.2' }]);
});

test('names the encryption', async () => {
  const head = '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://key",KEYFORMAT="com.apple.streamingkeydelivery"';
  const found = await sampled({ 'v0.m3u8': playlist('v0', { head }) });
  expect(found.encryption).toEqual(['SAMPLE-AES']);
});

test('an origin that has ended is recognized', async () => {
  const end = '#EXT-X-ENDLIST';
  const { reading } = await sampled({ 'v0.m3u8': playlist('v0', { count: 2, end }) });
  expect(reading.isEnded).toBe(true);
});

describe('refuses', () => {
  test('a playlist with too few segments', async () => {
    const few = ['v0', 'v1'].map((name) => [`${name}.m3u8`, playlist(name, { count: 2 })]);
    expect(await refused(Object.fromEntries(few))).toEqual(naming('line 3', 3, 2, 'segments'));
  });

  test('video renditions that are cut at other instants', async () => {
    const shifted = playlist('v1', { startsAt: STARTED_AT + 700 });
    expect(await refused({ 'v1.m3u8': shifted })).toEqual(naming('line 5', 'border', 'line 3'));
  });

  test('a rendition that lists nothing of the same time', async () => {
    const gaps = Object.fromEntries([100, 101, 102, 103, 104, 105].map((number) => [number, '#EXT-X-GAP']));
    expect(await refused({ 'v0.m3u8': playlist('v0', { before: gaps }) })).toEqual(naming('line 3', 'EXT-X-GAP'));
    expect(await refused({ 'v1.m3u8': playlist('v1', { before: gaps }) })).toEqual(naming('line 5', 'line 3'));
  });

  test('an origin whose only sound is missing', async () => {
    expect(await refused({ 'a0.m3u8': undefined })).toEqual(naming('line 2', 'a0.m3u8', 404));
  });

  test('a playlist of I-frames', async () => {
    const found = await sample({ 'v0.m3u8': playlist('v0', { head: '#EXT-X-I-FRAMES-ONLY' }) }, 'v0.m3u8');
    expect((found as Refusal).refused).toEqual(naming('v0.m3u8', 'EXT-X-I-FRAMES-ONLY'));
  });
});

test('a line that cannot be used costs what depends on it, with a warning', async () => {
  const long = playlist('v0').replace('TARGETDURATION:2', 'TARGETDURATION:999999999');
  const lines = long.split('\n');
  const at = lines.findLastIndex((line) => line.startsWith('#EXTINF:'));
  lines[at] = '#EXTINF:-2.000,';
  const found = await sample({ 'v0.m3u8': lines.join('\n') }, 'v0.m3u8');
  expect(found).toMatchObject({
    targetDuration: 2,
    warnings: expect.arrayContaining([naming('line 2', 3600, 999999999), naming(`line ${at + 1}`, '-2.000')]),
  });
});
