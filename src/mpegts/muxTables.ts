// SPDX-License-Identifier: Apache-2.0
import { crc32 } from './crc32.ts';
import { TS_PACKET, TS_SYNC } from './packet.ts';

/** transport_stream_id, program_number, and the PID of the program map. */
export type TableIds = { readonly transportId: number; readonly program: number; readonly mapPid: number };

/**
 * Program association and program map of a single program (ISO/IEC 13818-1 §2.4.4), one packet each.
 * @param counter the continuity counter of both, 0 to 15
 */
export function muxTables(
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
