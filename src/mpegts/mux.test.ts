// SPDX-License-Identifier: Apache-2.0

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { muxSegment, type TsLayout, type TsStream } from './mux.ts';
import { aacUnit, parameterSets, videoUnit } from './muxUnits.ts';
import { readTransport } from './readTransport.ts';

// A packet reader that shares no code with the product, so that writer and reader cannot both be wrong in the same way.
function packetsOf(segment: Uint8Array) {
  expect(segment.length % 188).toBe(0);
  return Array.from({ length: segment.length / 188 }, (_, index) => {
    const bytes = segment.subarray(index * 188, index * 188 + 188);
    expect(bytes[0]).toBe(0x47);
    const control = (bytes[3]! >> 4) & 3;
    const fieldLength = control & 2 ? bytes[4]! + 1 : 0;
    const flags = fieldLength > 1 ? bytes[5]! : 0;
    const base =
      ((bytes[6]! << 24) >>> 0) * 2 + (bytes[7]! << 17) + (bytes[8]! << 9) + (bytes[9]! << 1) + (bytes[10]! >> 7);
    return {
      pid: ((bytes[1]! & 0x1f) << 8) | bytes[2]!,
      counter: bytes[3]! & 15,
      starts: (bytes[1]! & 0x40) !== 0,
      payload: bytes.subarray(4 + fieldLength),
      isRandom: (flags & 0x40) !== 0,
      isJump: (flags & 0x80) !== 0,
      pcr: flags & 0x10 ? base : undefined,
    };
  });
}
function unitsOf(packets: ReturnType<typeof packetsOf>, pid: number): { time: number; bytes: Buffer }[] {
  const units: Buffer[][] = [];
  for (const packet of packets.filter((each) => each.pid === pid)) {
    if (packet.starts) units.push([]);
    units.at(-1)!.push(Buffer.from(packet.payload));
  }
  return units.map((pieces) => {
    const pes = Buffer.concat(pieces);
    const length = pes.readUInt16BE(4);
    if (length !== 0) expect(length).toBe(pes.length - 6);
    const time = ((pes[9]! >> 1) & 7) * 2 ** 30 + (pes.readUInt16BE(10) >> 1) * 2 ** 15 + (pes.readUInt16BE(12) >> 1);
    return { time, bytes: pes.subarray(14) };
  });
}

/** An error thrown on purpose. A bug in the muxer would be a TypeError or a RangeError. */
const refusal = expect.objectContaining({ name: 'Error' });

const stream = (kind: 'video' | 'audio', sizes: number[], start: number, step: number): TsStream => ({
  kind,
  streamType: kind === 'video' ? 0x1b : 0x0f,
  units: sizes.map((size, index) => ({
    time: start + index * step,
    bytes: new Uint8Array(size).fill(index + 1),
    isRandomAccess: index === 0,
  })),
});
const sizes = fc.array(fc.oneof(fc.integer({ min: 8, max: 400 }), fc.integer({ min: 400, max: 70_000 })), {
  minLength: 1,
  maxLength: 12,
});

describe('muxSegment', () => {
  it('writes every unit completely, at its time, with counters that continue from any segment to any other', () => {
    fc.assert(
      fc.property(sizes, sizes, fc.nat({ max: 40 }), fc.nat({ max: 2 ** 34 }), (video, audio, index, start) => {
        const streams = [stream('video', video, start, 3600), stream('audio', audio, start, 1920)];
        const packets = packetsOf(muxSegment(index, streams));
        for (const [pid, { units }] of [[0x100, streams[0]!] as const, [0x101, streams[1]!] as const]) {
          const read = unitsOf(packets, pid);
          expect(read.map(({ time }) => time)).toEqual(units.map(({ time }) => time % 2 ** 33));
          read.forEach(({ bytes }, at) => {
            expect(bytes.equals(units[at]!.bytes)).toBe(true);
          });
          const counters = packets.filter((packet) => packet.pid === pid).map((packet) => packet.counter);
          expect(counters).toEqual(counters.map((_, at) => at % 16));
          expect(counters.length % 16).toBe(0);
        }
        expect(packets.slice(0, 2).map(({ counter }) => counter)).toEqual([index % 16, index % 16]);
      }),
      lawRuns(60),
    );
  });

  it('never splits a PES header, however small the units are', () => {
    const packets = packetsOf(muxSegment(0, [stream('audio', Array<number>(20).fill(13), 0, 1920)]));
    const starts = packets.filter(({ pid, starts }) => pid === 0x101 && starts);
    expect(starts.length).toBe(20);
    for (const { payload } of starts) expect(payload.length).toBeGreaterThanOrEqual(19);
  });

  it('writes the clock on the video, 100 ms before its pictures, or on the audio if there is no video', () => {
    const streams = [stream('video', [500, 20], 900_000, 3600), stream('audio', [90], 900_000, 1)];
    const both = packetsOf(muxSegment(0, streams));
    expect(both.filter(({ pcr }) => pcr !== undefined).map(({ pid, pcr }) => [pid, pcr])).toEqual([
      [0x100, 891_000],
      [0x100, 894_600],
    ]);
    expect(both.filter(({ isRandom }) => isRandom).map(({ pid }) => pid)).toEqual([0x100, 0x101]);
    const audio = packetsOf(muxSegment(0, [stream('audio', [90], 900_000, 1)]));
    expect(audio.find(({ pcr }) => pcr !== undefined)).toMatchObject({ pid: 0x101, pcr: 891_000 });
  });

  it('writes tables with valid checksums', () => {
    const [pat, pmt] = packetsOf(muxSegment(3, [stream('video', [100], 0, 1), stream('audio', [100], 0, 1)]));
    for (const packet of [pat!, pmt!]) {
      const section = packet.payload.subarray(1, 4 + (((packet.payload[2]! & 15) << 8) | packet.payload[3]!));
      let crc = 0xffffffff;
      for (const byte of section) {
        crc ^= byte << 24;
        for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
      }
      expect(crc >>> 0).toBe(0);
    }
    expect(pmt!.payload.length).toBeGreaterThan(20);
  });

  it('sets discontinuity_indicator in the first segment and in no other', () => {
    const streams = [stream('video', [500, 20], 900_000, 3600), stream('audio', [90, 90], 900_000, 1920)];
    const jumps = (index: number) => packetsOf(muxSegment(index, streams)).filter(({ isJump }) => isJump);
    expect(jumps(0).map(({ pid, starts, isRandom }) => [pid, starts, isRandom])).toEqual([
      [0x100, true, true],
      [0x101, true, true],
    ]);
    expect(jumps(1)).toEqual([]);
  });

  it('uses the PIDs and ids of a given layout', () => {
    const layout: TsLayout = {
      transportId: 0x1234,
      program: 700,
      mapPid: 0x1e0,
      streams: [
        { kind: 'audio', pid: 0x1e2, streamId: 0xbd },
        { kind: 'video', pid: 0x1e1, streamId: 0xe5 },
      ],
    };
    const streams = [stream('video', [500], 900_000, 3600), stream('audio', [90], 900_000, 1920)];
    const segment = muxSegment(0, streams, layout);
    const read = readTransport(segment)!;
    expect([read.transportId, read.program, read.mapPid]).toEqual([0x1234, 700, 0x1e0]);
    expect(read.streams.map(({ pid, type }) => [pid, type])).toEqual([
      [0x1e2, 0x0f],
      [0x1e1, 0x1b],
    ]);
    const ids = new Set(read.packets.map(({ pid, streamId }) => `${pid} ${streamId}`));
    expect(ids).toEqual(new Set([`${0x1e1} ${0xe5}`, `${0x1e2} ${0xbd}`]));
    const clocks = packetsOf(segment).filter(({ pcr }) => pcr !== undefined);
    expect(clocks.map(({ pid }) => pid)).toEqual([0x1e1]);
    expect(() => muxSegment(0, streams, { ...layout, streams: layout.streams.slice(1) })).toThrow(refusal);
  });

  it('throws if a stream is missing or empty', () => {
    expect(() => muxSegment(0, [])).toThrow(refusal);
    expect(() => muxSegment(0, [stream('audio', [], 0, 1)])).toThrow(refusal);
  });
});

describe('access units', () => {
  const sample = Uint8Array.of(0, 0, 0, 2, 0x65, 9, 0, 0, 0, 1, 0x41);

  it('begin with a delimiter, followed by parameter sets at random access points', () => {
    const record = Uint8Array.of(1, 0x64, 0, 0x1f, 0xff, 0xe1, 0, 2, 0x67, 7, 1, 0, 1, 0x68);
    const sets = parameterSets('h264', record);
    expect(sets.map((set) => [...set])).toEqual([[0x67, 7], [0x68]]);
    const unit = (isKey: boolean) => Buffer.from(videoUnit('h264', sets, sample, 5, isKey).bytes).toString('hex');
    expect(unit(true)).toBe(['', '09f0', '6707', '68', '6509', '41'].join('00000001'));
    expect(unit(false)).toMatch(/^0000000109f0000000016509/);
    expect(() => videoUnit('h264', sets, sample.subarray(0, 8), 5, false)).toThrow(refusal);
  });

  it('of HEVC contain the parameter sets of every array', () => {
    const record = new Uint8Array(23 + 3 + 3 + 3 + 4);
    record[22] = 2;
    record.set([0x20, 0, 1, 0, 1, 0x40], 23);
    record.set([0x21, 0, 1, 0, 2, 0x42, 1], 29);
    expect(parameterSets('h265', record).map((set) => [...set])).toEqual([[0x40], [0x42, 1]]);
  });

  it('of AAC begin with an ADTS header', () => {
    const { bytes } = aacUnit(Uint8Array.of(0x11, 0x90), new Uint8Array(93), 0); // AAC-LC, 48 kHz, stereo
    expect(Buffer.from(bytes.subarray(0, 7)).toString('hex')).toBe('fff14c800c9ffc');
    expect(() => aacUnit(Uint8Array.of(0xf8, 0), new Uint8Array(4), 0)).toThrow('ADTS');
  });
});
