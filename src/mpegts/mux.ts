// SPDX-License-Identifier: Apache-2.0
// Writes segments of an MPEG transport stream (ISO/IEC 13818-1) with a video stream, an audio stream or both. This module
// reads and writes transport streams as bytes; where their access units come from is left to its callers.
//
// A segment is complete by itself: tables first, and of each elementary stream a multiple of 16 packets. So the continuity
// counter starts at 0 in every segment, and any segment can follow any other (§2.4.3.3). The first segment after content,
// which uses the same PIDs, sets discontinuity_indicator.

import { defined } from '../invariant.ts';
import { wrapMpegTime } from '../time/mpegClock.ts';
import { crc32, TS_HEADER, TS_PACKET, TS_SYNC } from './packet.ts';
import type { Association } from './readTransport.ts';

export type TsStream = {
  readonly kind: 'video' | 'audio';
  /** stream_type (2.4.4.9): 0x1b H.264, 0x24 H.265, 0x0f AAC in ADTS. */
  readonly streamType: number;
  readonly units: readonly TsUnit[];
};

/** The PIDs and ids of the tables and streams; streams in the order of the program map. */
export type TsLayout = Association & {
  readonly streams: readonly { readonly kind: TsStream['kind']; readonly pid: number; readonly streamId: number }[];
};

const DEFAULT_LAYOUT: TsLayout = {
  transportId: 1,
  program: 1,
  mapPid: 0x1000,
  streams: [
    { kind: 'video', pid: 0x100, streamId: 0xe0 },
    { kind: 'audio', pid: 0x101, streamId: 0xc0 },
  ],
};
/** How far the decoder's clock is behind the decode times: 100 ms, to fill its buffers. */
const PCR_LEAD = 9000;

/**
 * @param index of the segment in its sequence: the continuity counter of the tables; 0 marks a discontinuity
 * @param streams at most one of each kind, each with at least one access unit
 * @param layout with an entry for each of the streams; usually that of the content
 * @throws if there is nothing to mux, or if the layout has no entry for a stream
 */
export function muxSegment(index: number, streams: readonly TsStream[], layout: TsLayout = DEFAULT_LAYOUT): Uint8Array {
  const clock = streams.find((stream) => stream.kind === 'video') ?? streams[0];
  if (clock === undefined || streams.some((stream) => stream.units.length === 0))
    throw new Error('a transport stream segment must have a stream, and each stream an access unit');
  const placed = layout.streams.flatMap((place) => {
    const stream = streams.find(({ kind }) => kind === place.kind);
    return stream === undefined ? [] : [{ ...place, stream }];
  });
  const clockPid = placed.find(({ stream }) => stream === clock)?.pid;
  if (clockPid === undefined || placed.length !== streams.length)
    throw new Error('the layout must have an entry for each stream');
  const programmed = placed.map(({ pid, stream: { streamType } }) => ({ pid, streamType }));
  const tables = muxTables(index % 16, layout, clockPid, programmed);
  const writers = placed.map(({ pid, streamId, stream }) => {
    const lead = stream === clock ? PCR_LEAD : undefined;
    return pesWriter(pid, streamId, stream.units, lead, index === 0);
  });
  const packets = writers.reduce((sum, writer) => sum + writer.packets, 0);
  const segment = new Uint8Array(tables.length + packets * TS_PACKET);
  segment.set(tables);
  let at = tables.length;
  while (at < segment.length) {
    const next = writers.reduce((first, writer) => (writer.nextTime() < first.nextTime() ? writer : first));
    at = next.write(segment, at);
  }
  return segment;
}

/**
 * Program association and program map of a single program (ISO/IEC 13818-1 §2.4.4), one packet each.
 * @param counter the continuity counter of both, 0 to 15
 */
function muxTables(
  counter: number,
  { transportId, program, mapPid }: Association,
  pcrPid: number,
  streams: readonly { readonly pid: number; readonly streamType: number }[],
): Uint8Array {
  const pat = section(0x00, transportId, [...wordBytes(program), ...pidBytes(mapPid)]);
  const listed = streams.flatMap(({ pid, streamType }) => [streamType, ...pidBytes(pid), 0xf0, 0x00]);
  const pmt = section(0x02, program, [...pidBytes(pcrPid), 0xf0, 0x00, ...listed]);
  const packets = new Uint8Array(2 * TS_PACKET).fill(0xff);
  packets.set([...header(0, counter), ...pat]);
  packets.set([...header(mapPid, counter), ...pmt], TS_PACKET);
  return packets;
}

const wordBytes = (word: number): number[] => [word >> 8, word & 0xff];
/** 13 bits, after reserved bits that are set. */
const pidBytes = (pid: number): number[] => [0xe0 | (pid >> 8), pid & 0xff];
/** The header of a packet that begins with a section: payload_unit_start_indicator, payload only, pointer_field 0. */
const header = (pid: number, counter: number): number[] => [TS_SYNC, 0x40 | (pid >> 8), pid & 0xff, 0x10 | counter, 0];

/** A long-form section: version 0, current, with its CRC. @param extension table_id_extension (§2.4.4.10) */
function section(tableId: number, extension: number, content: readonly number[]): number[] {
  const length = content.length + 9;
  const bytes = [tableId, 0xb0 | (length >> 8), length & 0xff, ...wordBytes(extension), 0xc1, 0x00, 0x00, ...content];
  const crc = crc32(bytes);
  return [...bytes, crc >>> 24, (crc >>> 16) & 0xff, (crc >>> 8) & 0xff, crc & 0xff];
}

// Writes one elementary stream of a segment as transport packets: each access unit in its own PES packet
// (ISO/IEC 13818-1 §2.4.3.6).

const PAYLOAD = TS_PACKET - TS_HEADER;
const PES_HEADER = 14; // with PTS and without DTS, because they are equal (§2.4.3.7)

/** A complete access unit in elementary stream form. */
export type TsUnit = {
  /** Presentation and decode time on the 90 kHz clock, not wrapped. */
  readonly time: number;
  readonly bytes: Uint8Array;
  /** True if it can be decoded without others. */
  readonly isRandomAccess: boolean;
};

/**
 * @param pcrLead if defined, each unit carries the clock (PCR), set to this many ticks before its own time
 * @param isFirst whether the packets before have another clock and other counters: discontinuity_indicator (§2.4.3.5)
 */
function pesWriter(
  pid: number,
  streamId: number,
  units: readonly TsUnit[],
  pcrLead: number | undefined,
  isFirst: boolean,
) {
  let next = 0;
  let counter = 0;
  const isJump = (unit: TsUnit): boolean => isFirst && unit === units[0];

  /** Bytes of the adaptation field that the first packet of a unit needs. */
  function fieldLength(unit: TsUnit): number {
    if (pcrLead !== undefined) return 8;
    return unit.isRandomAccess || isJump(unit) ? 2 : 0;
  }

  const neededFor = (unit: TsUnit): number => Math.ceil((PES_HEADER + unit.bytes.length + fieldLength(unit)) / PAYLOAD);
  const needed = units.reduce((sum, unit) => sum + neededFor(unit), 0);
  const extra = (16 - (needed % 16)) % 16;

  /** @param following the number of units after this one; the last units get what cannot be divided evenly */
  const shareOfExtra = (following: number): number =>
    Math.floor(extra / units.length) + (following < extra % units.length ? 1 : 0);

  /** Header, adaptation field and stuffing of a packet with `size` bytes of payload (§2.4.3.4). */
  function writePacket(out: Uint8Array, start: number, unit: TsUnit, isStart: boolean, size: number): void {
    const field = PAYLOAD - size;
    out[start] = TS_SYNC;
    out[start + 1] = (isStart ? 0x40 : 0) | (pid >> 8);
    out[start + 2] = pid & 0xff;
    out[start + 3] = (field > 0 ? 0x30 : 0x10) | counter;
    counter = (counter + 1) % 16;
    if (field === 0) return;
    out[start + 4] = field - 1;
    if (field === 1) return;
    const lead = isStart ? pcrLead : undefined;
    const jump = isStart && isJump(unit) ? 0x80 : 0;
    out[start + 5] = jump | (isStart && unit.isRandomAccess ? 0x40 : 0) | (lead === undefined ? 0 : 0x10);
    out.fill(0xff, start + 6, start + 4 + field);
    if (lead !== undefined) writePcr(out, start + 6, unit.time - lead);
  }

  function pesOf(unit: TsUnit): Uint8Array {
    const pes = new Uint8Array(PES_HEADER + unit.bytes.length);
    const length = pes.length - 6;
    const written = length > 0xffff ? 0 : length; // 0 means unbounded, which is allowed for video only
    pes.set([0, 0, 1, streamId, written >> 8, written & 0xff, 0x84, 0x80, 5]); // data_alignment_indicator, PTS only
    writePts(pes, 9, unit.time);
    pes.set(unit.bytes, PES_HEADER);
    return pes;
  }

  return {
    /** A multiple of 16. Up to 15 more than needed, distributed over the units so that no PES header is split. */
    packets: needed + extra,
    /** The time of the unit that `write` writes next; infinity after the last. */
    nextTime: (): number => units[next]?.time ?? Number.POSITIVE_INFINITY,
    /** Writes the next unit at `at`. @returns the position after it */
    write(out: Uint8Array, at: number): number {
      const unit = defined(units[next], 'a unit is written while nextTime is finite');
      next += 1;
      const count = neededFor(unit) + shareOfExtra(units.length - next);
      const pes = pesOf(unit);
      let done = 0;
      for (let left = count; left > 0; left -= 1) {
        const start = at + (count - left) * TS_PACKET;
        const field = done === 0 ? fieldLength(unit) : 0;
        const size = Math.min(PAYLOAD - field, pes.length - done - (left - 1)); // leaves a byte for each packet that follows
        writePacket(out, start, unit, done === 0, size);
        out.set(pes.subarray(done, done + size), start + TS_PACKET - size);
        done += size;
      }
      return at + count * TS_PACKET;
    },
  };
}

/** 33 bits in five bytes, with marker bits between them (§2.4.3.6). */
function writePts(out: Uint8Array, at: number, time: number): void {
  const wrapped = wrapMpegTime(time);
  const low = wrapped % 2 ** 30;
  out[at] = 0x21 | (Math.floor(wrapped / 2 ** 30) << 1);
  out[at + 1] = low >> 22;
  out[at + 2] = ((low >> 14) & 0xfe) | 1;
  out[at + 3] = (low >> 7) & 0xff;
  out[at + 4] = ((low << 1) & 0xfe) | 1;
}

/** program_clock_reference_base and an extension of 0 (§2.4.3.5). */
function writePcr(out: Uint8Array, at: number, time: number): void {
  const base = wrapMpegTime(time);
  const upper = Math.floor(base / 2);
  out[at] = upper / 2 ** 24;
  out[at + 1] = upper / 2 ** 16;
  out[at + 2] = upper / 2 ** 8;
  out[at + 3] = upper;
  out[at + 4] = ((base % 2) << 7) | 0x7e;
  out[at + 5] = 0;
}
