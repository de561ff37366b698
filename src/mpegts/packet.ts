// SPDX-License-Identifier: Apache-2.0
// Transport packets and the checksum of sections.

/** Bytes of a transport packet, including its header of four bytes (ISO/IEC 13818-1 §2.4.3.2). */
export const TS_PACKET = 188;
export const TS_HEADER = 4;
/** The first byte of every transport packet. */
export const TS_SYNC = 0x47;

/** The checksum of sections (ISO/IEC 13818-1 annex A): 0 for a section with its own CRC. */
export function crc32(bytes: Iterable<number>): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}
