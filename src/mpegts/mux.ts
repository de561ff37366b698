// SPDX-License-Identifier: Apache-2.0
// Writes segments of an MPEG transport stream (ISO/IEC 13818-1) with a video stream, an audio stream or both. This module
// reads and writes transport streams as bytes; where their access units come from is left to its callers.
//
// A segment is complete by itself: tables first, and of each elementary stream a multiple of 16 packets. So the continuity
// counter starts at 0 in every segment, and any segment can follow any other (§2.4.3.3). The first segment after content,
// which uses the same PIDs, sets discontinuity_indicator.

import { crc32 } from './crc32.ts';
import { PesWriter, type TsUnit } from './muxPes.ts';
import { TS_PACKET, TS_SYNC } from './packet.ts';

export type TsStream = {
  readonly kind: 'video' | 'audio';
  /** stream_type (2.4.4.9): 0x1b H.264, 0x24 H.265, 0x0f AAC in ADTS. */
  readonly streamType: number;
  readonly units: readonly TsUnit[];
};

/** The PIDs and ids of the tables and streams; streams in the order of the program map. */
export type TsLayout = TableIds & {
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
    return new PesWriter(pid, streamId, stream.units, lead, index === 0);
  });
  const packets = writers.reduce((sum, writer) => sum + writer.packets, 0);
  const segment = new Uint8Array(tables.length + packets * TS_PACKET);
  segment.set(tables);
  let at = tables.length;
  while (at < segment.length) {
    const next = writers.reduce((first, writer) => (writer.nextTime < first.nextTime ? writer : first));
    at = next.write(segment, at);
  }
  return segment;
}

/** transport_stream_id, program_number, and the PID of the program map. */
type TableIds = { readonly transportId: number; readonly program: number; readonly mapPid: number };

/**
 * Program association and program map of a single program (ISO/IEC 13818-1 §2.4.4), one packet each.
 * @param counter the continuity counter of both, 0 to 15
 */
function muxTables(
  counter: number,
  { transportId, program, mapPid }: TableIds,
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
/** Of a packet that begins with a section: payload_unit_start_indicator, payload only, pointer_field 0. */
const header = (pid: number, counter: number): number[] => [TS_SYNC, 0x40 | (pid >> 8), pid & 0xff, 0x10 | counter, 0];

/** A long-form section: version 0, current, with its CRC. @param extension table_id_extension (§2.4.4.10) */
function section(tableId: number, extension: number, content: readonly number[]): number[] {
  const length = content.length + 9;
  const bytes = [tableId, 0xb0 | (length >> 8), length & 0xff, ...wordBytes(extension), 0xc1, 0x00, 0x00, ...content];
  const crc = crc32(bytes);
  return [...bytes, crc >>> 24, (crc >>> 16) & 0xff, (crc >>> 8) & 0xff, crc & 0xff];
}
