// SPDX-License-Identifier: Apache-2.0
/** Bytes of a transport packet, including its header of four bytes (ISO/IEC 13818-1 §2.4.3.2). */
export const TS_PACKET = 188;
export const TS_HEADER = 4;
/** The first byte of every transport packet. */
export const TS_SYNC = 0x47;
