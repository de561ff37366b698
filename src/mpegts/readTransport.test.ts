// SPDX-License-Identifier: Apache-2.0

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { encodeOnce } from '../../test/media/encodeOnce.ts';
import { scratchFolder } from '../../test/opened.ts';
import { joinBytes } from '../mp4/boxes.ts';
import { readAudioFrames, readAvcParameters, readHevcParameters } from './elementaryStreams.ts';
import { TS_PACKET } from './packet.ts';
import { readTransport, type Transport } from './readTransport.ts';

const folder = scratchFolder();

const video = (size: string) => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=30000/1001`];
const tone = (rate: string) => ['-f', 'lavfi', '-i', `sine=r=${rate}`];

async function encode(name: string, ...args: string[]): Promise<{ path: string; bytes: Uint8Array }> {
  const path = join(folder, name);
  await encodeOnce(folder, [...args, '-t', '1', '-f', 'mpegts', name]);
  return { path, bytes: new Uint8Array(readFileSync(path)) };
}

const read = (bytes: Uint8Array): Transport => {
  const transport = readTransport(bytes);
  expect(transport).toBeDefined();
  return transport!;
};
const elementary = ({ packets }: Transport, pid: number): Uint8Array =>
  joinBytes(packets.filter((packet) => packet.pid === pid).flatMap(({ payload }) => payload));

/** The time stamps of a stream's packets according to ffmpeg, in ticks of 90 kHz. */
function packetTimes(path: string, stream: string): number[] {
  const args = ['-v', 'quiet', '-copyts', '-i', path, '-map', stream, '-c', 'copy', '-f', 'framecrc', '-'];
  const lines = execFileSync('ffmpeg', args, { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => Number(line.split(',')[2]));
}

describe('readTransport', () => {
  test('reads time stamps and payloads as ffmpeg does', async () => {
    const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-c:a', 'aac'];
    const { path, bytes } = await encode('av.ts', ...video('128x70'), ...tone('44100'), ...x264);
    const transport = read(bytes);
    expect(transport.streams.map(({ type }) => type)).toEqual([0x1b, 0x0f]);
    const expected = packetTimes(path, '0:v');
    const pid = transport.streams[0]!.pid;
    expect(transport.packets.filter((packet) => packet.pid === pid).map(({ pts }) => pts)).toEqual(expected);
    expect(readAvcParameters(elementary(transport, pid))).toMatchObject({ width: 128, height: 70 });
    const audio = readAudioFrames(elementary(transport, transport.streams[1]!.pid), 'aac');
    const frames = packetTimes(path, '0:a').length;
    expect(audio).toEqual({ codec: 'mp4a.40.2', sampleRate: 44_100, channels: 1, frame: 1024, samples: 1024 * frames });
  });

  test.each([
    ['high', '130x74', 'avc1.6400'],
    ['baseline', '160x90', 'avc1.42c0'],
  ])('reads the parameters of %s profile at %s', async (profile, size, codec) => {
    const args = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    const high = profile === 'high' ? ['-x264-params', '8x8dct=1:cqm=jvt'] : ['-profile:v', 'baseline'];
    const { bytes } = await encode(`${profile}.ts`, ...video(size), ...args, ...high);
    const transport = read(bytes);
    const facts = readAvcParameters(elementary(transport, transport.streams[0]!.pid));
    expect(facts?.codec.startsWith(codec)).toBe(true);
    expect(`${facts?.width}x${facts?.height}`).toBe(size);
  });

  test('reads interlaced and HEVC pictures', async () => {
    const interlaced = ['-c:v', 'libx264', '-preset', 'ultrafast', '-flags', '+ilme+ildct'];
    const field = read((await encode('i.ts', ...video('128x72'), ...interlaced)).bytes);
    expect(readAvcParameters(elementary(field, field.streams[0]!.pid))).toMatchObject({ width: 128, height: 72 });
    const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];
    const hevc = read((await encode('h.ts', ...video('128x70'), ...x265)).bytes);
    expect(hevc.streams[0]!.type).toBe(0x24);
    const facts = readHevcParameters(elementary(hevc, hevc.streams[0]!.pid));
    expect(facts).toEqual({ codec: 'hvc1.1.6.L30.90', width: 128, height: 70 });
  });

  test.each([
    ['ac3', 'ac-3', 0x81, '6'],
    ['ac3', 'ac-3', 0x81, '1'],
    ['eac3', 'ec-3', 0x87, '6'],
  ])('counts the frames of %s', async (encoder, codec, type, channels) => {
    const codecArgs = ['-c:a', encoder, '-ac', channels];
    const { path, bytes } = await encode(`${encoder}${channels}.ts`, ...tone('48000'), ...codecArgs);
    const transport = read(bytes);
    expect(transport.streams[0]!.type).toBe(type);
    const frames = packetTimes(path, '0:a').length;
    const audio = readAudioFrames(elementary(transport, transport.streams[0]!.pid), 'dolby');
    const samples = 1536 * frames;
    expect(audio).toEqual({ codec, sampleRate: 48_000, channels: Number(channels), frame: 1536, samples });
  });

  test('finds packets after other data, and returns undefined for other formats', async () => {
    const { bytes } = await encode('a.ts', ...tone('48000'), '-c:a', 'aac', '-metadata:s:a:0', 'language=swe');
    const shifted = read(joinBytes([new TextEncoder().encode('ID3 and a tag'), bytes]));
    expect(shifted.packets.length).toBe(read(bytes).packets.length);
    expect(shifted.streams[0]!.language).toBe('swe');
    expect(readTransport(new TextEncoder().encode('<html>'.repeat(100)))).toBeUndefined();
    expect(readTransport(new Uint8Array())).toBeUndefined();
    expect(readTransport(bytes.subarray(0, TS_PACKET))).toBeUndefined(); // no program map yet
  });

  test('reads all 33 bits of a time stamp', async () => {
    const { bytes } = await encode('late.ts', ...tone('48000'), '-c:a', 'aac', '-output_ts_offset', '95440');
    const [first] = read(bytes).packets;
    expect(first?.pts).toBeGreaterThan(2 ** 33 - 90_000 * 10);
    expect(first?.pts).toBeLessThan(2 ** 33);
  });

  test('never throws, whatever bytes are damaged', async () => {
    const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
    const { bytes } = await encode('d.ts', ...video('64x64'), ...tone('48000'), ...x264);
    const start = bytes.slice(0, 40 * TS_PACKET);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(start.length - 1), fc.nat(255)), { maxLength: 30 }), (changes) => {
        const damaged = start.slice();
        for (const [at, value] of changes) damaged[at] = value;
        const transport = readTransport(damaged);
        for (const { pid } of transport?.streams ?? []) {
          const stream = elementary(transport!, pid);
          readAvcParameters(stream);
          readHevcParameters(stream);
          readAudioFrames(stream, 'aac');
          readAudioFrames(stream, 'dolby');
        }
      }),
      lawRuns(100),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (noise) => {
        readAvcParameters(joinBytes([Uint8Array.from([0, 0, 1, 0x67]), noise]));
        readHevcParameters(joinBytes([Uint8Array.from([0, 0, 1, 0x42, 1]), noise]));
        readAudioFrames(joinBytes([Uint8Array.from([0x0b, 0x77]), noise]), 'dolby');
      }),
    );
  });
});
