// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Ladder, Rung } from '../timeline/ladder/ladder.ts';
import { readMultivariant } from './readMultivariant.ts';
import { writeMultivariant } from './writeMultivariant.ts';

const [picture, sound] = [{ width: 1280, height: 720 }, { channels: 2 }];
const rung =
  (kind: Rung['kind'], codecs: string, bandwidth: number, averageBandwidth: number, facts: Partial<Rung>) =>
  (id: string, more: Partial<Rung> = {}): Rung => ({
    id,
    kind,
    codecs,
    bandwidth,
    averageBandwidth,
    ...facts,
    ...more,
  });
const video = rung('video', 'avc1.64001f', 2_000_000, 1_500_000, picture);
const audio = rung('audio', 'mp4a.40.2', 128_000, 120_000, sound);
const subtitles = rung('text', 'wvtt', 4000, 4000, {});
const ladder = (...rungs: Rung[]): Ladder => ({
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 30000, d: 1001 },
  rungs,
  targetDuration: 6,
});
const lines = (text: string, start: string) => text.split('\n').filter((line) => line.startsWith(start));

test('writes a variant for each video rung, with the bandwidth of the highest audio, and a rendition for each language', () => {
  const videos = [video('v0'), video('v1', { bandwidth: 1_000_000 })];
  const audios = [audio('a0', { language: 'en' }), audio('a1', { language: 'sv', bandwidth: 192_000.5 })];
  const text = writeMultivariant(ladder(...videos, ...audios), 's/');
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
  const written = lines(writeMultivariant(ladder(video('v0'), ...named), ''), '#EXT-X-MEDIA');
  expect(new Set(written.map((line) => /NAME="([^"]*)"/.exec(line)![1])).size).toBe(3);
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
  const [english, characteristics] = [
    { language: 'en', name: 'English' },
    'public.accessibility.transcribes-spoken-dialog',
  ];
  const texts = [
    subtitles('t0', english),
    subtitles('t1', { ...english, characteristics }),
    subtitles('t2', { language: 'sv', isForced: true }),
  ];
  const written = writeMultivariant(ladder(video('v0'), video('v1'), audio('a0'), ...texts), 's/');
  const groups = lines(written, '#EXT-X-STREAM-INF').map((line) => /SUBTITLES="(\w+)"/.exec(line)?.[1]);
  expect(groups).toEqual(['text', 'text']);
  expect(lines(written, '#EXT-X-STREAM-INF')[0]).toContain('CODECS="avc1.64001f,mp4a.40.2"');
  const read = readMultivariant(written);
  if ('refused' in read) throw new Error(read.refused);
  expect(read.alternates.filter(({ type }) => type === 'SUBTITLES')).toMatchObject([
    { name: 'English', language: 'en', isDefault: false, isForced: false, uri: 's/t0.m3u8' },
    { name: 'English (t1)', language: 'en', isDefault: false, isForced: false, uri: 's/t1.m3u8', characteristics },
    { name: 'sv', language: 'sv', isDefault: false, isForced: true, uri: 's/t2.m3u8' },
  ]);
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
  const codecsWith = (...all: string[]) => {
    const texts = all.map((codecs, index) => subtitles(`t${index}`, { codecs }));
    return /CODECS="([^"]*)"/.exec(writeMultivariant(ladder(video('v0'), audio('a0'), ...texts), ''))![1];
  };
  expect(codecsWith('wvtt', '')).toBe('avc1.64001f,mp4a.40.2');
  expect(codecsWith('stpp.ttml.im1t', 'stpp.ttml.im1t', '')).toBe('avc1.64001f,mp4a.40.2,stpp.ttml.im1t');
});
