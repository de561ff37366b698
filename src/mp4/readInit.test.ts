// SPDX-License-Identifier: Apache-2.0

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { encodeOnce } from '../../test/media/encodeOnce.ts';
import { scratchFolder } from '../../test/opened.ts';
import { findBox, joinBytes, readBoxes, writeFields as uint, writeBox } from './boxes.ts';
import { hevcProfile } from './readCodec.ts';
import { type InitTrack, readInit } from './readInit.ts';

const folder = scratchFolder();

const video = ['-f', 'lavfi', '-i', 'testsrc2=s=128x72:r=25', '-t', '0.4'];
const audio = (channels: string) => `-f lavfi -i sine=r=48000 -ac ${channels} -t 0.4 -strict -2`.split(' ');

/** Encodes to DASH: ffmpeg's DASH muxer writes codec strings to compare with. */
async function encode(name: string, input: string[], codec: string[]): Promise<{ init: Uint8Array; codecs: string }> {
  const mpd = `${name}.mpd`;
  const names = ['-init_seg_name', `${name}-init.mp4`, '-media_seg_name', `${name}-$Number$.m4s`];
  const dash = ['-f', 'dash', '-dash_segment_type', 'mp4', ...names];
  await encodeOnce(folder, [...input, ...codec, ...dash, mpd]);
  const codecs = /codecs="([^"]*)"/.exec(readFileSync(join(folder, mpd), 'utf8'))?.[1] ?? '';
  return { init: readFileSync(join(folder, `${name}-init.mp4`)), codecs };
}

const only = (init: Uint8Array): InitTrack => {
  const tracks = readInit(init);
  expect(tracks).toHaveLength(1);
  return tracks![0]!;
};
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** A minimal initialization section with one sample entry. */
const handMade = (handler: string, entry: Uint8Array, edits?: Uint8Array, timescale = 25_000): Uint8Array =>
  writeBox(
    'moov',
    writeBox('mvhd', uint(0, 0, 0, 1000)),
    writeBox(
      'trak',
      writeBox('tkhd', uint(0, 0, 0, 7)),
      ...(edits ? [writeBox('edts', writeBox('elst', edits))] : []),
      writeBox(
        'mdia',
        writeBox('mdhd', uint(0, 0, 0, timescale, 0, 0x55c40000)),
        writeBox('hdlr', uint(0, 0), text(handler)),
        writeBox('minf', writeBox('stbl', writeBox('stsd', uint(0, 1), entry))),
      ),
    ),
    writeBox('mvex', writeBox('trex', uint(0, 7, 1, 1000, 0, 0))),
  );

const avcC = writeBox('avcC', Uint8Array.from([1, 0x64, 0, 0x1f, 0xff]));
const visual = (type: string, ...children: Uint8Array[]): Uint8Array => {
  const header = new Uint8Array(78);
  header.set([0x05, 0x00, 0x02, 0xd0], 24); // 1280 × 720
  return writeBox(type, header, ...children);
};

describe('readInit', () => {
  test.each([
    ['h264', ['-c:v', 'libx264', '-preset', 'ultrafast']],
    ['vp9', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']],
    ['av1', ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8']],
  ])('returns the codec string of %s that the packager writes', async (name, codec) => {
    const { init, codecs } = await encode(name, video, codec);
    const track = only(init);
    expect(track.codec.toLowerCase()).toContain(codecs.toLowerCase());
    expect(track).toMatchObject({ handler: 'vide', width: 128, height: 72 });
    expect(track).not.toHaveProperty('encryption');
    expect(track.timescale % 25).toBe(0);
  });

  test('includes the constraint flags of HEVC', async () => {
    const codec = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params', 'log-level=none'];
    expect(only((await encode('hevc', video, codec)).init).codec).toMatch(/^hvc1\.1\.6\.L30\.90$/);
    // general_profile_space 0, Main, compatible with Main and Main 10, level 3.1, interlaced flags: ISO/IEC 14496-15 E.3
    expect(hevcProfile(Uint8Array.from([1, 0x60, 0, 0, 0, 0xb0, 0, 0, 0, 0, 0, 93]))).toBe('1.6.L93.B0');
    expect(hevcProfile(Uint8Array.from([0x62, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 120]))).toBe('A2.4.H120');
  });

  test.each([
    ['aac', '2', ['-c:a', 'aac']],
    ['ac3', '6', ['-c:a', 'ac3']],
    ['eac3', '6', ['-c:a', 'eac3']],
    ['opus', '2', ['-c:a', 'libopus']],
    ['flac', '1', ['-c:a', 'flac']],
  ])('returns the codec string of %s with %s channels that the packager writes', async (name, channels, codec) => {
    const { init, codecs } = await encode(name, audio(channels), codec);
    const { codec: read, sampleRate, channels: count } = only(init);
    expect([read, sampleRate, count]).toEqual([codecs, 48_000, Number(channels)]);
  });

  test('recognizes MP3 by its object type', async () => {
    const { init } = await encode('mp3', audio('2'), ['-c:a', 'libmp3lame']);
    expect(only(init)).toMatchObject({ codec: 'mp4a.6B', channels: 2 });
  });

  test('recognizes HE-AAC by its decoder configuration', () => {
    const config = Uint8Array.from([0x2b, 0x11, 0x88, 0x00]); // type 5, core 24 kHz, stereo, extended to 48 kHz
    const decoder = joinBytes([Uint8Array.from([4, 13 + 2 + config.length, 0x40, 0x15]), new Uint8Array(11)]);
    const descriptor = joinBytes([
      Uint8Array.from([3, 0x80, 0x80, 3 + decoder.length + 2 + config.length, 0, 1, 0]),
      decoder,
      Uint8Array.from([5, config.length]),
      config,
    ]);
    const header = new Uint8Array(28);
    header[17] = 2;
    const entry = writeBox('mp4a', header, writeBox('esds', uint(0), descriptor));
    expect(only(handMade('soun', entry))).toMatchObject({ codec: 'mp4a.40.5', sampleRate: 48_000, channels: 2 });
  });

  test('returns the codec and size of an encrypted track', () => {
    const sinf = writeBox('sinf', writeBox('frma', text('avc1')), writeBox('schm', uint(0)));
    const track = only(handMade('vide', visual('encv', avcC, sinf)));
    const encryption = expect.stringMatching(/^encv/);
    expect(track).toMatchObject({ codec: 'avc1.64001f', encryption, width: 1280, height: 720 });
  });

  test('reads trex and mdhd', () => {
    const track = only(handMade('vide', visual('avc1', avcC)));
    expect(track).toMatchObject({ id: 7, timescale: 25_000, defaultDuration: 1000, editShift: 0 });
    expect(track).not.toHaveProperty('language'); // und
  });

  test('an empty edit delays presentation, a media time brings it forward', () => {
    const shift = (edits: Uint8Array): number => only(handMade('vide', visual('avc1', avcC), edits)).editShift;
    expect(shift(uint(0, 1, 0, 2000, 0x10000))).toBe(-2000);
    expect(shift(uint(0, 2, 40, 0xffffffff, 0x10000, 0, 2000, 0x10000))).toBe(1000 - 2000);
    expect(shift(uint(0x01000000, 2, 0, 40, 0xffffffff, 0xffffffff, 0x10000, 0, 0, 0, 500, 0x10000))).toBe(1000 - 500);
    expect(shift(uint(0, 0))).toBe(0);
    expect(shift(uint(0, 9, 40, 0xffffffff))).toBe(0); // cut off
  });

  test('browsers use only the first edit, and ignore it if it is empty', () => {
    const shift = (edits: Uint8Array): number => only(handMade('vide', visual('avc1', avcC), edits)).firstEditShift;
    expect(shift(uint(0, 1, 0, 2000, 0x10000))).toBe(-2000);
    expect(shift(uint(0, 2, 40, 0xffffffff, 0x10000, 0, 2000, 0x10000))).toBe(0);
    expect(shift(uint(0, 2, 40, 2000, 0x10000, 0, 4000, 0x10000))).toBe(-2000);
    expect(shift(uint(0, 0))).toBe(0);
  });

  test('reads QuickTime audio entries and text entries', () => {
    const header = new Uint8Array(44);
    header[9] = 1;
    header[17] = 2;
    header.set([0xbb, 0x80], 24);
    const entry = writeBox('ac-3', header, writeBox('dac3', Uint8Array.from([0x10, 0x3d, 0xc0])));
    expect(only(handMade('soun', entry))).toMatchObject({ codec: 'ac-3', channels: 6, sampleRate: 48_000 });
    expect(only(handMade('text', writeBox('wvtt', new Uint8Array(8))))).toMatchObject({ codec: 'wvtt' });
  });

  test('returns undefined for bytes without a complete moov', () => {
    const init = handMade('vide', visual('avc1', avcC));
    expect(readInit(init.subarray(0, init.length - 1))).toBeUndefined();
    expect(readInit(new Uint8Array())).toBeUndefined();
    expect(readInit(text('<!DOCTYPE html><html></html>'))).toBeUndefined();
  });

  test('never throws, whatever bytes are damaged', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('-init.mp4'));
    const inits = [
      ...files.map((name) => new Uint8Array(readFileSync(join(folder, name)))),
      handMade('vide', visual('avc1', avcC)),
    ];
    const damage = fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...inits), damage, (init, changes) => {
        const bytes = init.slice();
        const start = findBox(bytes, ['moov'])!.start;
        for (const [at, value] of changes) bytes[start + (at % (bytes.length - start))] = value;
        readInit(bytes);
        readBoxes(bytes);
      }),
      lawRuns(500),
    );
  });
});
