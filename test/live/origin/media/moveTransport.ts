// SPDX-License-Identifier: Apache-2.0
// Moves an MPEG-TS segment to another media time (ISO/IEC 13818-1 §2.4.3), with its clock references and continuity counters.
import { TS_HEADER, TS_PACKET } from '../../../../src/mpegts/packet.ts';

const WRAP = 2 ** 33;
const wrapped = (time: number): number => ((time % WRAP) + WRAP) % WRAP;
const pidOf = (bytes: Uint8Array, at: number): number => ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!;
const hasPayload = (bytes: Uint8Array, at: number): boolean => (bytes[at + 3]! & 0x10) !== 0;

/** The number of packets with a payload, by PID. */
export function countPackets(segments: readonly Uint8Array[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const bytes of segments) {
    for (let at = 0; at < bytes.length; at += TS_PACKET) {
      if (hasPayload(bytes, at)) counts.set(pidOf(bytes, at), (counts.get(pidOf(bytes, at)) ?? 0) + 1);
    }
  }
  return counts;
}

/** Five bytes with marker bits (§2.4.3.7). */
function moveStamp(bytes: Uint8Array, at: number, delta: number): void {
  const high = (bytes[at]! >> 1) & 7;
  const middle = (bytes[at + 1]! << 7) | (bytes[at + 2]! >> 1);
  const low = (bytes[at + 3]! << 7) | (bytes[at + 4]! >> 1);
  const time = wrapped(high * 2 ** 30 + middle * 2 ** 15 + low + delta);
  const part = (shift: number, mask: number) => Math.floor(time / 2 ** shift) & mask;
  bytes[at] = (bytes[at]! & 0xf1) | (part(30, 7) << 1);
  bytes[at + 1] = part(22, 0xff);
  bytes[at + 2] = (part(15, 0x7f) << 1) | 1;
  bytes[at + 3] = part(7, 0xff);
  bytes[at + 4] = (part(0, 0x7f) << 1) | 1;
}

/** program_clock_reference_base; its extension stays (§2.4.3.5). */
function moveClock(bytes: Uint8Array, at: number, delta: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 6);
  const time = wrapped(view.getUint32(0) * 2 + (bytes[at + 4]! >> 7) + delta);
  view.setUint32(0, Math.floor(time / 2));
  bytes[at + 4] = (bytes[at + 4]! & 0x7f) | ((time & 1) << 7);
}

/**
 * @param delta in ticks of 90 kHz
 * @param earlier the number of packets before the segment that its own counters do not include, by PID
 */
export function moveTransport(segment: Uint8Array, delta: number, earlier: (pid: number) => number): Uint8Array {
  const bytes = Uint8Array.from(segment);
  for (let at = 0; at < bytes.length; at += TS_PACKET) {
    const counter = (bytes[at + 3]! & 0xf) + (earlier(pidOf(bytes, at)) % 16);
    bytes[at + 3] = (bytes[at + 3]! & 0xf0) | (counter & 0xf);
    const adaptation = (bytes[at + 3]! & 0x20) !== 0 ? 1 + bytes[at + TS_HEADER]! : 0;
    if (adaptation > 6 && bytes[at + TS_HEADER + 1]! & 0x10) moveClock(bytes, at + TS_HEADER + 2, delta);
    const body = at + TS_HEADER + adaptation;
    const isStart = (bytes[at + 1]! & 0x40) !== 0 && hasPayload(bytes, at);
    // PES packets of sound and picture start with their prefix; tables do not.
    if (!isStart || bytes[body] !== 0 || bytes[body + 1] !== 0 || bytes[body + 2] !== 1) continue;
    const stamps = bytes[body + 7]! >> 6;
    if (stamps & 2) moveStamp(bytes, body + 9, delta);
    if (stamps === 3) moveStamp(bytes, body + 14, delta);
  }
  return bytes;
}
