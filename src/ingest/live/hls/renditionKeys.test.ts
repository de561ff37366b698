// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type Multivariant, readMultivariant } from '../../../hls/readMultivariant.ts';
import { nearestRendition, redundantKeys, renditionKeys, renditionUrls, variantInPlace } from './renditionKeys.ts';

const [V360, V180, ENGLISH] = ['v:640x360:900000:avc1.64001f', 'v:320x180:200000:avc1.64000d', 'audio:aac:English:en'];
const URL = 'https://origin.test/live/index.m3u8?token=1';

const playlist = (token: string): Multivariant => {
  const read = readMultivariant(
    [
      '#EXTM3U',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",URI="en.m3u8?t=TOKEN"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="in the video",LANGUAGE="de"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",URI="subs.m3u8?t=TOKEN"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=640x360,CODECS="avc1.64001f, mp4a.40.2",AUDIO="aac"',
      '360.m3u8?t=TOKEN',
      '#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=640x360,CODECS="avc1.64001f,mp4a.40.2",AUDIO="aac"',
      'backup/360.m3u8?t=TOKEN',
      '#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=640x360,CODECS="avc1.64001f,mp4a.40.2",AUDIO="ac3"',
      '360.m3u8?t=TOKEN',
      '#EXT-X-STREAM-INF:BANDWIDTH=64',
      'audio.m3u8',
    ]
      .join('\n')
      .replaceAll('TOKEN', token),
    URL,
  );
  if ('refused' in read) throw new Error(read.refused);
  return read;
};

test('keys state what the playlist states, and do not change with tokens in URLs', () => {
  const keys = renditionKeys(playlist('1')).map(({ key }) => key);
  expect(keys).toEqual([
    'v:640x360:1000:avc1.64001f,mp4a.40.2',
    'v:640x360:1000:avc1.64001f,mp4a.40.2#2',
    'v::64:',
    'audio:aac:English:en',
    'subtitles:subs:English:',
  ]);
  expect(renditionKeys(playlist('2')).map(({ key }) => key)).toEqual(keys);
});

test('URLs are found again by key', () => {
  const urls = renditionUrls(playlist('2'), URL);
  expect(urls.get('v:640x360:1000:avc1.64001f,mp4a.40.2#2')).toBe('https://origin.test/live/backup/360.m3u8?t=2');
  expect(urls.get('audio:aac:English:en')).toBe('https://origin.test/live/en.m3u8?t=2');
});

test('redundant renditions follow each other in turn: variants with equal attributes, and their audio', () => {
  const variant = (uri: string, group: string, more = '') =>
    `#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=640x360,CODECS="avc1,mp4a",AUDIO="${group}"${more}\n${uri}.m3u8`;
  const audio = (group: string, uri: string, more = '') =>
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${group}",NAME="English",LANGUAGE="en",URI="${uri}.m3u8"${more}`;
  const lines = [
    ...[audio('a', 'a'), audio('b', 'b'), audio('c', 'c', ',CHANNELS="6"'), audio('d', 'd')],
    ...[variant('v1', 'a'), variant('v2', 'b'), variant('v3', 'c'), variant('v4', 'a', ',FRAME-RATE=50')],
    '#EXT-X-STREAM-INF:BANDWIDTH=9000,RESOLUTION=1280x720,CODECS="avc1,ac-3",AUDIO="d"\nv5.m3u8',
  ];
  const read = readMultivariant(['#EXTM3U', ...lines].join('\n'), URL);
  if ('refused' in read) throw new Error(read.refused);
  const uris = new Map(renditionKeys(read).map(({ key, uri }) => [uri.slice(0, -5), key]));
  const redundant = redundantKeys(read);
  const namesOf = (uri: string) =>
    redundant(uris.get(uri)!).map((key) => [...uris].find(([, known]) => known === key)![0]);
  expect(['v1', 'v2', 'v3', 'v4', 'a', 'b', 'c', 'd'].map((uri) => namesOf(uri).join(' '))).toEqual([
    ...['v1 v2 v3', 'v2 v3 v1', 'v3 v1 v2', 'v4', 'a b', 'b a', 'c', 'd'],
  ]);
});

test.each<[string, string, string[], string | undefined]>([
  [
    'the nearest bit rate of its size',
    V360,
    ['v:640x360:1500000:avc1.64001f', 'v:640x360:950000:avc1.64001e', 'v:1280x720:900000:avc1.64001f'],
    'v:640x360:950000:avc1.64001e',
  ],
  ['no other codec', V360, ['v:640x360:900000:hvc1.1.6.L93.B0'], undefined],
  [
    'codecs in another order',
    'v:640x360:900000:avc1.64001f,mp4a.40.2',
    ['v:640x360:910000:mp4a.40.2,avc1.64001f#2'],
    'v:640x360:910000:mp4a.40.2,avc1.64001f#2',
  ],
  ['no rung of another bit rate', V360, ['v:640x360:2000000:avc1.64001f'], undefined],
  ['variants that state nothing', 'v:::', ['v:::#2'], 'v:::#2'],
  [
    'audio of its language',
    ENGLISH,
    ['audio:aac-2:German:de', 'audio:aac-2:English (stereo):en', 'subtitles:t:English:en'],
    'audio:aac-2:English (stereo):en',
  ],
  ['audio only if it is certain', ENGLISH, ['audio:b:English:en', 'audio:b:Commentary:en'], undefined],
])('finds %s', (_what, key, free, expected) => {
  expect(nearestRendition(key, free)).toBe(expected);
});

test.each<[string, string, string[], string | undefined]>([
  [
    'the nearest height, then the nearest bit rate',
    V180,
    [
      'v:1280x720:200000:avc1.64001f',
      'v:640x360:800000:avc1.64001e',
      'v:640x360:600000:avc1.64001e',
      'audio:a:English:en',
    ],
    'v:640x360:600000:avc1.64001e',
  ],
  ['no other codec', V180, ['v:320x180:200000:hvc1.1.6.L60.B0'], undefined],
  ['no audio', 'audio:a:English:en', ['audio:b:German:de'], undefined],
])('in place of a lost variant, finds %s', (_what, key, all, expected) => {
  expect(variantInPlace(key, all)).toBe(expected);
});
