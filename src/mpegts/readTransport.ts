// SPDX-License-Identifier: Apache-2.0
// Reads an MPEG-2 transport stream (ISO/IEC 13818-1): its elementary streams, and their PES packets with time stamps. Codecs
// are left to elementaryStreams.ts.
import { readUint8, readUint16 } from '../mp4/boxes.ts';
import { TS_HEADER, TS_PACKET, TS_SYNC } from './packet.ts';

export type ElementaryStream = {
  readonly pid: number;
  /** stream_type (§2.4.4.10). */
  readonly type: number;
  /** Tags of the descriptors in the program map. */
  readonly descriptors: readonly number[];
  readonly language?: string;
  /** format_identifier of a registration_descriptor (§2.6.8): four characters. */
  readonly registration?: string;
};

export type PesPacket = {
  readonly pid: number;
  readonly streamId: number;
  /** In ticks of 90 kHz, as written. Absent if the packet has none. */
  readonly pts?: number;
  /** What follows the PES header, up to the end of the bytes. */
  readonly payload: readonly Uint8Array[];
};

/** transport_stream_id (§2.4.4.5), program_number, and the PID of the program map. */
export type Association = { readonly transportId: number; readonly program: number; readonly mapPid: number };

/** The first program of a stream. */
export type Transport = Association & {
  /** In the order of the program map. */
  readonly streams: readonly ElementaryStream[];
  readonly packets: readonly PesPacket[];
};

/** @returns undefined if the bytes are not a transport stream or contain no complete program map */
export function readTransport(bytes: Uint8Array): Transport | undefined {
  const start = findSync(bytes);
  if (start === undefined) return undefined;
  const sections = new Map<number, number[]>();
  const open = new Map<number, NonNullable<ReturnType<typeof startPes>>>();
  const packets: PesPacket[] = [];
  let association: Association | undefined;
  let streams: readonly ElementaryStream[] | undefined;
  let listed = new Set<number>();

  for (let at = start; at + TS_PACKET <= bytes.length; at += TS_PACKET) {
    if (bytes[at] !== TS_SYNC) continue;
    const pid = readPid(bytes, at + 1);
    const isStart = (readUint8(bytes, at + 1) & 0x40) !== 0;
    const control = (readUint8(bytes, at + 3) >> 4) & 3;
    const body = at + TS_HEADER + (control & 2 ? 1 + readUint8(bytes, at + TS_HEADER) : 0);
    if ((control & 1) === 0 || body >= at + TS_PACKET) continue;
    const payload = bytes.subarray(body, at + TS_PACKET);
    const isAssociation = pid === 0 && association === undefined;
    if (isAssociation || (pid === association?.mapPid && streams === undefined)) {
      const section = gatherSection(sections, pid, payload, isStart);
      if (section === undefined) continue;
      if (isAssociation) association = readAssociation(section);
      else {
        streams = readProgramMap(section);
        listed = new Set(streams.map((stream) => stream.pid));
      }
    } else if (listed.has(pid)) {
      if (isStart) {
        const packet = startPes(pid, payload);
        if (packet === undefined) open.delete(pid);
        else {
          open.set(pid, packet);
          packets.push(packet);
        }
      } else open.get(pid)?.payload.push(payload);
    }
  }
  return streams === undefined || association === undefined ? undefined : { ...association, streams, packets };
}

/** The position of the first packet: three sync bytes in a row, or as many as fit. An ID3 tag may precede it. */
function findSync(bytes: Uint8Array): number | undefined {
  const last = Math.min(bytes.length - TS_PACKET, 65_536);
  for (let at = 0; at <= last; at += 1) {
    if (bytes[at] !== TS_SYNC) continue;
    const isSync = [1, 2].every((n) => at + n * TS_PACKET >= bytes.length || bytes[at + n * TS_PACKET] === TS_SYNC);
    if (isSync) return at;
  }
  return undefined;
}

const readPid = (bytes: Uint8Array, at: number): number => readUint16(bytes, at) & 0x1fff;
/** 12 bits, after reserved bits. */
const readLength = (bytes: Uint8Array, at: number): number => readUint16(bytes, at) & 0x0fff;

/** Collects a section that may span packets. @returns the section if this payload completes it (§2.4.4) */
function gatherSection(
  sections: Map<number, number[]>,
  pid: number,
  payload: Uint8Array,
  isStart: boolean,
): Uint8Array | undefined {
  if (isStart) sections.set(pid, [...payload.subarray(1 + readUint8(payload, 0))]);
  else sections.get(pid)?.push(...payload);
  const section = sections.get(pid);
  if (section === undefined || section.length < 3) return undefined;
  const [, high = 0, low = 0] = section;
  const length = 3 + (((high & 0x0f) << 8) | low);
  return section.length >= length ? Uint8Array.from(section.slice(0, length)) : undefined;
}

/** The first program and the PID of its map (§2.4.4.3). */
function readAssociation(section: Uint8Array): Association | undefined {
  for (let at = 8; at + 4 <= section.length - 4; at += 4) {
    const program = readUint16(section, at);
    if (program !== 0) return { transportId: readUint16(section, 3), program, mapPid: readPid(section, at + 2) };
  }
  return undefined;
}

function readProgramMap(section: Uint8Array): ElementaryStream[] {
  const streams: ElementaryStream[] = [];
  const end = section.length - 4;
  let at = 12 + readLength(section, 10);
  while (at + 5 <= end) {
    const infoEnd = at + 5 + readLength(section, at + 3);
    const descriptors: number[] = [];
    let language: string | undefined;
    let registration: string | undefined;
    for (let d = at + 5; d + 2 <= Math.min(infoEnd, end); d += 2 + readUint8(section, d + 1)) {
      const tag = readUint8(section, d);
      descriptors.push(tag);
      const isLong = readUint8(section, d + 1) >= 4;
      const isLanguage = tag === 0x0a && isLong && d + 5 <= end; // §2.6.18
      const isRegistration = tag === 0x05 && isLong && d + 6 <= end; // §2.6.8
      if (isRegistration) registration ??= String.fromCharCode(...section.subarray(d + 2, d + 6));
      if (isLanguage) language = String.fromCharCode(...section.subarray(d + 2, d + 5));
    }
    streams.push({
      type: readUint8(section, at),
      pid: readPid(section, at + 1),
      descriptors,
      ...(language !== undefined && /^[a-z]{3}$/.test(language) ? { language } : {}),
      ...(registration === undefined ? {} : { registration }),
    });
    at = infoEnd;
  }
  return streams;
}

/** Reads the PES header (§2.4.3.6). @returns undefined if the payload does not begin with one */
function startPes(pid: number, payload: Uint8Array) {
  if (payload.length < 9 || payload[0] !== 0 || payload[1] !== 0 || payload[2] !== 1) return undefined;
  const headerEnd = 9 + readUint8(payload, 8);
  const hasPts = (readUint8(payload, 7) & 0x80) !== 0 && payload.length >= 14;
  return {
    pid,
    streamId: readUint8(payload, 3),
    ...(hasPts ? { pts: readTimestamp(payload, 9) } : {}),
    payload: [payload.subarray(Math.min(headerEnd, payload.length))],
  };
}

const readTimestamp = (bytes: Uint8Array, at: number): number =>
  ((readUint8(bytes, at) >> 1) & 7) * 2 ** 30 +
  ((readUint16(bytes, at + 1) >> 1) << 15) +
  (readUint16(bytes, at + 3) >> 1);
