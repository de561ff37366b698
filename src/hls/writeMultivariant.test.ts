// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Ladder, Rung } from '../timeline/ladder/ladder.ts';
import { readMultivariant } from './readMultivariant.ts';
import { writeMultivariant } from './writeMultivariant.ts';

const video = (id: string, more: Partial<Rung> = {}): Rung => ({
  id,
  kind: 'video',
  codecs: 'avc1.64001f',
  bandwidth: 2_000_000,
  averageBandwidth: 1_500_000,
  width: 1280,
  height: 720,
  ...more,
});
const audio = (id: string, more: Partial<Rung> = {}): Rung => ({
  id,
  kind: 'audio',
  codecs: 'mp4a.40.2',
  bandwidth: 128_000,
  averageBandwidth: 120_000,
  channels: 2,
  ...more,
});
const ladder = (...rungs: Rung[]): Ladder => ({
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 30000, d: 1001 },
  rungs,
  targetDuration: 6,
});
const lines = (text: string, start: string) => text.split('\n').filter((line) => line.startsWith(start));

test('writes a variant for each video rung, with the bandwidth of the highest audio, and a rendition for each language', () => {
  const text = writeMultivariant(
    ladder(
      video('v0'),
      video('v1', { bandwidth: 1_000_000 }),
      audio('a0', { language: 'en' }),
      audio('a1', { language: 'sv', bandwidth: 192_000.5 }),
    ),
    's/',
  );
  expect(lines(text, '#EXT-X-STREAM-INF')[0]).toBe(
    '#EXT-X-STREAM-INF:BANDWIDTH=2192001,AVERAGE-BANDWIDTH=1620000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="sound"',
  );
  expect(lines(text, 's/')).toEqual(['s/v0.m3u8', 's/v1.m3u8']);
  expect(lines(text, '#EXT-X-MEDIA').map((line) => /DEFAULT=(\w+).*URI="([^"]*)"/.exec(line)!.slice(1))).toEqual([
    ['YES', 's/a0.m3u8'],
    ['NO', 's/a1.m3u8'],
  ]);
});

test('makes the names of a group unique', () => {
  const named = ['English', 'English', 'English (a1)'].map((name, index) => audio(`a${index}`, { name }));
  const names = lines(writeMultivariant(ladder(video('v0'), ...named), ''), '#EXT-X-MEDIA').map(
    (line) => /NAME="([^"]*)"/.exec(line)![1],
  );
  expect(new Set(names).size).toBe(3);
});

test('text of a source cannot add a line or an attribute', () => {
  const hostile = 'a",DEFAULT=NO\n#EXT-X-ENDLIST\r\u2028b';
  const text = writeMultivariant(
    ladder(video('v0', { codecs: hostile }), audio('a0', { name: hostile, language: hostile, codecs: hostile })),
    's/',
  );
  expect(lines(text, '#EXT-X-ENDLIST')).toEqual([]);
  expect(text.split(/\r\n|[\n\r\u2028]/)).toHaveLength(7);
  expect(readMultivariant(text)).toMatchObject({
    variants: [{ uri: 's/v0.m3u8' }],
    alternates: [{ isDefault: true }],
    warnings: [],
  });
});

test('lists the audio rungs of an audio-only channel', () => {
  const one = writeMultivariant(ladder(audio('a0')), 's/');
  expect(lines(one, '#EXT-X-MEDIA')).toEqual([]);
  expect(lines(one, 's/')).toEqual(['s/a0.m3u8']);
  const two = writeMultivariant(ladder(audio('a0'), audio('a1', { language: 'sv' })), 's/');
  expect(lines(two, '#EXT-X-MEDIA')).toHaveLength(2);
  expect(lines(two, 's/')).toEqual(['s/a0.m3u8']);
});

test('writes text rungs as a group that every variant refers to, not shown by default', () => {
  const text = (id: string, more: Partial<Rung>): Rung => ({
    id,
    kind: 'text',
    codecs: 'wvtt',
    bandwidth: 4000,
    averageBandwidth: 4000,
    ...more,
  });
  const written = writeMultivariant(
    ladder(
      video('v0'),
      video('v1'),
      audio('a0'),
      text('t0', { language: 'en', name: 'English' }),
      text('t1', {
        language: 'en',
        name: 'English',
        characteristics: 'public.accessibility.transcribes-spoken-dialog',
      }),
      text('t2', { language: 'sv', isForced: true }),
    ),
    's/',
  );
  expect(lines(written, '#EXT-X-STREAM-INF').map((line) => /SUBTITLES="(\w+)"/.exec(line)?.[1])).toEqual([
    'text',
    'text',
  ]);
  expect(lines(written, '#EXT-X-STREAM-INF')[0]).toContain('CODECS="avc1.64001f,mp4a.40.2"');
  const read = readMultivariant(written);
  if ('refused' in read) throw new Error(read.refused);
  const texts = read.alternates.filter(({ type }) => type === 'SUBTITLES');
  expect(
    texts.map(({ name, language, isDefault, isForced, uri }) => [name, language, isDefault, isForced, uri]),
  ).toEqual([
    ['English', 'en', false, false, 's/t0.m3u8'],
    ['English (t1)', 'en', false, false, 's/t1.m3u8'],
    ['sv', 'sv', false, true, 's/t2.m3u8'],
  ]);
  expect(texts[1]!.characteristics).toBe('public.accessibility.transcribes-spoken-dialog');
});

test('declares closed captions, none, or nothing when that is unknown', () => {
  const plain = ladder(video('v0'), video('v1'), audio('a0'));
  expect(writeMultivariant(plain, 's/')).not.toContain('CAPTIONS');
  const none = lines(writeMultivariant({ ...plain, captions: [] }, 's/'), '#EXT-X-STREAM-INF');
  expect(none.every((line) => line.endsWith(',CLOSED-CAPTIONS=NONE'))).toBe(true);
  const captions = [
    { channel: 'CC1', language: 'en', name: 'CC' },
    { channel: 'SERVICE2', name: 'CC' },
  ];
  const some = writeMultivariant({ ...plain, captions }, 's/');
  expect(lines(some, '#EXT-X-MEDIA:TYPE=CLOSED')).toEqual([
    '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="CC",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,INSTREAM-ID="CC1"',
    '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="CC (SERVICE2)",DEFAULT=NO,AUTOSELECT=YES,INSTREAM-ID="SERVICE2"',
  ]);
  expect(lines(some, '#EXT-X-STREAM-INF').every((line) => line.endsWith(',CLOSED-CAPTIONS="captions"'))).toBe(true);
});

test('CODECS contains the TTML of text rungs, but no WebVTT', () => {
  const text = (id: string, codecs: string): Rung => ({
    id,
    kind: 'text',
    codecs,
    bandwidth: 4000,
    averageBandwidth: 4000,
  });
  const codecsWith = (...codecs: string[]) =>
    /CODECS="([^"]*)"/.exec(
      writeMultivariant(ladder(video('v0'), audio('a0'), ...codecs.map((one, index) => text(`t${index}`, one))), ''),
    )![1];
  expect(codecsWith('wvtt', '')).toBe('avc1.64001f,mp4a.40.2');
  expect(codecsWith('stpp.ttml.im1t', 'stpp.ttml.im1t', '')).toBe('avc1.64001f,mp4a.40.2,stpp.ttml.im1t');
});
