// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { channelFaults } from './channelFaults.ts';
import { isIsoTime } from './isIsoTime.ts';
import { playlistFaults } from './playlistFaults.ts';
import { readMarkers } from './readMarkers.ts';
import { isHttpUrl } from './urlFaults.ts';

const paths = (faults: readonly { dataPath: string }[]) => faults.map(({ dataPath }) => dataPath);

test('the playlist from the API documentation has no fault', () => {
  const cuePoints = [{ spliceTime: 0, maxDuration: 10.1234, maxAds: 2 }];
  const contents = [
    { sourceType: 'url', url: 'https://example.com/a.m3u8?x=[Y]', duration: '42.42', cuePoints },
    { sourceType: 'placeholder', spliceType: 'percent', cuePoints: [{ spliceTime: 100, maxDuration: 1 }] },
  ];
  expect(playlistFaults({ startDate: '2026-03-01T20:15:00.5+01:00', contents })).toEqual([]);
});

test('all faults are reported at once, each with its path', () => {
  const contents = [
    { sourceType: 'url' },
    { sourceType: 'placeholder', url: 'https://example.com/a.mpd' },
    { sourceType: 'url', url: 'file:///etc/passwd', duration: '0.00' },
    {
      sourceType: 'url',
      url: 'https://x/',
      spliceType: 'percent',
      cuePoints: [{ spliceTime: 1 }, { spliceTime: 101 }, { spliceTime: -1 }, { spliceTime: -0.5 }],
    },
  ];
  expect(paths(playlistFaults({ startDate: 'tomorrow', contents }))).toEqual([
    '/startDate',
    '/contents/0/url',
    '/contents/1/url',
    '/contents/2/url',
    '/contents/2/duration',
    '/contents/3/cuePoints/1/spliceTime',
    '/contents/3/cuePoints/3/spliceTime',
  ]);
});

test.each([null, 'x', 5, [], { contents: 5 }, { contents: [null, 5, [], { cuePoints: 'x', spliceType: 'percent' }] }])(
  'accepts a value of any type: %j',
  (body) => {
    expect(() => playlistFaults(body)).not.toThrow();
    expect(() => channelFaults(body)).not.toThrow();
  },
);

test.each([
  ['http://x', true],
  ['HTTPS://user:pw@host:8080/p?q#f', true],
  ['https://host/[CACHEBUSTING]', true],
  ['ftp://host/', false],
  ['javascript:alert(1)', false],
  ['//host/path', false],
  ['http://', false],
  ['http://ho st/', false],
  ['http://host/a\nb', false],
  ['http://host/a\u0000b', false],
  ['', false],
])('%j is an http URL: %s', (text, yes) => expect(isHttpUrl(text)).toBe(yes));

test.each([
  ['2026-03-01T20:15Z', true],
  ['2026-03-01T20:15:59.123456789-11:30', true],
  ['2024-02-29T00:00:00Z', true],
  ['2026-02-29T00:00:00Z', false],
  ['2026-03-01T20:15:00', false],
  ['2026-03-01', false],
  ['1969-12-31T23:59:59Z', false],
  ['2026-13-01T00:00:00Z', false],
  ['2026-01-01T24:00:00Z', false],
])('%s is a time with a zone: %s', (text, yes) => expect(isIsoTime(text)).toBe(yes));

test('headers of an ad source cannot split a request', () => {
  const headers = { 'x-ok': 'fine', 'bad name': 'x', 'x-split': 'a\r\nb: c', Host: 'evil', 'a/b~c': 'x' };
  const faults = channelFaults({ adSlateManifestUrl: '', adSource: { url: 'nonsense', headers } });
  expect(paths(faults)).toEqual([
    '/adSource/url',
    '/adSource/headers/bad name',
    '/adSource/headers/x-split',
    '/adSource/headers/Host',
    '/adSource/headers/a~1b~0c',
  ]);
});

test('a live channel that keeps the markers of its origin cannot have others', () => {
  const kept = { type: 'live', markers: 'pass', markersOut: 'cue' };
  expect(paths(channelFaults(kept))).toEqual(['/markersOut']);
  for (const more of [{ type: 'vod2live' }, { markers: 'strip' }, { markersOut: 'none' }])
    expect(channelFaults({ ...kept, ...more })).toEqual([]);
});

test('parses markers in order and reports each invalid one', () => {
  expect(readMarkers('0,1,10;42.42, 2 ,10.1234;').cuePoints).toEqual([
    { spliceTime: 0, maxAds: 1, maxDuration: 10 },
    { spliceTime: 42.42, maxAds: 2, maxDuration: 10.1234 },
  ]);
  expect(readMarkers('-1,1,10').cuePoints).toEqual([{ spliceTime: -1, maxAds: 1, maxDuration: 10 }]);
  const { faults } = readMarkers('0,1,10;-2,1,10;5,0,10;5,1,0;5,1;1e3,1,1;;5,1.5,3;9,9,9');
  expect(paths(faults)).toEqual([1, 2, 3, 4, 5, 6, 7].map((index) => `/markers/${index}`));
  expect(readMarkers(Array(501).fill('1,1,1').join(';')).faults).toHaveLength(1);
});
