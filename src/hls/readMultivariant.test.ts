// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import * as oracle from 'hls-parser';
import { describe, expect, test } from 'vitest';
import { naming } from '../../test/naming.ts';
import { isMultivariant, type Multivariant, readMultivariant } from './readMultivariant.ts';

const read = (text: string, url?: string): Multivariant => {
  const result = readMultivariant(text, url);
  if ('refused' in result) throw new Error(result.refused);
  return result;
};

const playlist = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://key"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="English, plain",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a/en-64.m3u8?t=1"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="Svenska",LANGUAGE="sv",CHANNELS="6/JOC",URI="a/sv-64.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",LANGUAGE="en",FORCED=YES,URI="s/en.m3u8"
#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC",LANGUAGE="en",INSTREAM-ID="CC1"
#EXT-X-STREAM-INF:BANDWIDTH=1000000,AVERAGE-BANDWIDTH=900000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=23.976,AUDIO="low",SUBTITLES="subs",CLOSED-CAPTIONS="cc"

# a comment
v/720.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=500000
https://other.example/v/360.m3u8?token=a,b
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=50000,URI="v/iframe.m3u8"
`;

describe('readMultivariant', () => {
  test('reads variants and groups, and ignores other tags', () => {
    const { variants, alternates, warnings } = read(playlist);
    expect(warnings).toEqual([]);
    expect(variants).toEqual([
      {
        line: 9,
        uri: 'v/720.m3u8',
        bandwidth: 1000000,
        averageBandwidth: 900000,
        codecs: ['avc1.64001f', 'mp4a.40.2'],
        width: 1280,
        height: 720,
        frameRate: 23.976,
        audioGroup: 'low',
        subtitleGroup: 'subs',
        captionGroup: 'cc',
      },
      { line: 13, uri: 'https://other.example/v/360.m3u8?token=a,b', bandwidth: 500000 },
    ]);
    expect(alternates.map(({ name, type, uri, channels }) => [name, type, uri, channels])).toEqual([
      ['English, plain', 'AUDIO', 'a/en-64.m3u8?t=1', 2],
      ['Svenska', 'AUDIO', 'a/sv-64.m3u8', 6],
      ['English', 'SUBTITLES', 's/en.m3u8', undefined],
      ['CC', 'CLOSED-CAPTIONS', undefined, undefined],
    ]);
    expect(alternates[2]).toMatchObject({ isForced: true, isDefault: false, language: 'en' });
  });

  test('agrees with hls-parser', () => {
    const theirs = oracle.parse(playlist) as oracle.types.MasterPlaylist;
    const ours = read(playlist);
    expect(ours.variants.map(({ uri, bandwidth }) => ({ uri, bandwidth }))).toEqual(
      theirs.variants.filter(({ isIFrameOnly }) => !isIFrameOnly).map(({ uri, bandwidth }) => ({ uri, bandwidth })),
    );
  });

  test('accepts a byte order mark, CRLF and blank lines', () => {
    expect(read(`\uFEFF\r\n${playlist.replaceAll('\n', '\r\n')}`).variants[0]?.uri).toBe('v/720.m3u8');
  });

  test('replaces variables of the tag and of its own URL', () => {
    const text = `#EXTM3U
#EXT-X-DEFINE:NAME="host",VALUE="https://cdn.example/x"
#EXT-X-DEFINE:QUERYPARAM="token"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="{$token}",URI="{$host}/a.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="g"
{$host}/v.m3u8?t={$token}`;
    const { variants, alternates, variables } = read(text, 'https://example.com/m.m3u8?token=a%2Cb');
    expect(variants[0]?.uri).toBe('https://cdn.example/x/v.m3u8?t=a,b');
    expect(alternates[0]).toMatchObject({ name: 'a,b', uri: 'https://cdn.example/x/a.m3u8' });
    expect([...variables.keys()]).toEqual(['host', 'token']);
    const missing = { line: 3, code: 'QUERYPARAM', refused: naming(3, '"token"') };
    expect(readMultivariant(text, 'https://example.com/m.m3u8')).toEqual(missing);
    const unknown = { line: 6, code: 'UNDEFINED_VARIABLE', refused: naming(6, '"unknown"') };
    expect(readMultivariant(text.replace('t={$token}', 't={$unknown}'), 'https://e.com/?token=1')).toEqual(unknown);
  });

  test('skips invalid lines with a warning for each', () => {
    const { variants, alternates, warnings } = read(`#EXTM3U
#EXT-X-MEDIA:TYPE=SMELL,GROUP-ID="g",NAME="x"
#EXT-X-MEDIA:TYPE=AUDIO,NAME="x"
#EXT-X-STREAM-INF:BANDWIDTH=1
#EXT-X-STREAM-INF:BANDWIDTH=lots,RESOLUTION=HD,FRAME-RATE=NaN
v.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=3`);
    expect(alternates).toEqual([]);
    expect(variants).toEqual([{ line: 5, uri: 'v.m3u8' }]);
    expect(warnings).toEqual([
      naming(2, 'TYPE'),
      naming(3, 'GROUP-ID'),
      naming(4, 'EXT-X-STREAM-INF'),
      naming(5, 'BANDWIDTH'),
      naming(5, 'FRAME-RATE'),
      naming(5, 'RESOLUTION'),
      naming(7, 'EXT-X-STREAM-INF'),
    ]);
  });

  test.each([
    ['<!DOCTYPE html><html>', { line: 1, code: 'NO_PLAYLIST', refused: naming(1, '"<!DOCTYPE html><html>"') }],
    ['', { code: 'NO_PLAYLIST', refused: naming('#EXTM3U') }],
    ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1', { code: 'NO_VARIANT', refused: naming('EXT-X-STREAM-INF') }],
    [
      '#EXTM3U\n#EXT-X-STREAM-INF:CODECS="avc1\nv',
      { line: 2, code: 'OPEN_QUOTE', refused: naming(2, 'CODECS', '"CODECS=\\"avc1"') },
    ],
  ])('reports the error of %j', (text, refusal) => {
    expect(readMultivariant(text)).toEqual(refusal);
  });

  test.each([
    ['#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.640028', ['1.m3u8', '2.m3u8']],
    ['#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="{$unknown}"', ['2.m3u8']],
    ['#EXT-X-DEFINE:NAME="b"\n#EXT-X-STREAM-INF:BANDWIDTH=1', ['1.m3u8', '2.m3u8']],
    ['#EXT-X-DEFINE:IMPORT="b"\n#EXT-X-STREAM-INF:BANDWIDTH=1', ['1.m3u8', '2.m3u8']],
  ])('of a live origin, %j costs one entry at most', (line, uris) => {
    const text = `#EXTM3U\n#EXT-X-DEFINE:NAME="a",VALUE="1"\n${line}\n1.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\n2.m3u8`;
    const found = readMultivariant(text, 'https://e.com/m.m3u8', true) as Multivariant;
    expect(found.variants.map(({ uri }) => uri)).toEqual(uris);
    expect(found.warnings).toEqual([naming('line 3')]);
    expect(readMultivariant(text)).toMatchObject({ refused: naming('line 3') });
  });

  test('is distinguished from a media playlist', () => {
    expect(isMultivariant(playlist)).toBe(true);
    expect(isMultivariant('#EXTM3U\n#EXTINF:4,\nhttp://x/#EXT-X-STREAM-INF:\n')).toBe(false);
  });

  test('never throws', () => {
    const pieces = ['#EXT-X-STREAM-INF:', '#EXT-X-MEDIA:', '#EXT-X-DEFINE:', '\n', 'A="', '{$x}', '=', ','];
    const piece = fc.constantFrom(...pieces);
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        readMultivariant(`#EXTM3U\n${pieces.join('')}`, 'nonsense');
      }),
    );
  });
});
