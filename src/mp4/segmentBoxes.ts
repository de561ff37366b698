// SPDX-License-Identifier: Apache-2.0
// The boxes before the media of a segment that DASH reads: the segment index and event messages.
import { readBoxes, readUint32, readUint64 } from './boxes.ts';

export type Sidx = {
  readonly timescale: number;
  /** The earliest presentation time of the first reference, in ticks, after any edit list (ISO/IEC 14496-12 §8.16.3.3). */
  readonly earliest: number;
  /** The position of the first referenced byte in the resource. */
  readonly firstOffset: number;
  readonly references: readonly ReturnType<typeof readReference>[];
};

const REFERENCE_BYTES = 12;
const HIGH_BIT = 0x80000000;

/**
 * The first segment index in the bytes (ISO/IEC 14496-12 §8.16.3), or undefined if there is none or it is cut off.
 * @param anchorOffset the position of `bytes[0]` in the resource
 */
export function readSidx(bytes: Uint8Array, anchorOffset: number): Sidx | undefined {
  const box = readBoxes(bytes).find(({ type }) => type === 'sidx');
  if (box === undefined || box.end > bytes.length || box.end - box.body < 24) return undefined;
  const wide = bytes[box.body] !== 0;
  const counts = box.body + (wide ? 28 : 20);
  if (counts + 4 > box.end) return undefined;
  const timescale = readUint32(bytes, box.body + 8);
  const count = readUint32(bytes, counts) % 0x10000;
  const first = counts + 4;
  if (timescale === 0 || first + count * REFERENCE_BYTES > box.end) return undefined;
  const earliest = wide ? readUint64(bytes, box.body + 12) : readUint32(bytes, box.body + 12);
  const gap = wide ? readUint64(bytes, box.body + 20) : readUint32(bytes, box.body + 16);
  const references = Array.from({ length: count }, (_, index) => readReference(bytes, first + index * REFERENCE_BYTES));
  return { timescale, earliest, firstOffset: anchorOffset + box.end + gap, references };
}

function readReference(bytes: Uint8Array, at: number) {
  const kindAndSize = readUint32(bytes, at);
  return {
    /** Bytes of the referenced material. */
    size: kindAndSize % HIGH_BIT,
    /** Ticks of the index's timescale. */
    duration: readUint32(bytes, at + 4),
    /** True if the bytes are another index, not media. */
    isIndex: kindAndSize >= HIGH_BIT,
  };
}

export type EventMessage = {
  readonly scheme: string;
  readonly id: number;
  readonly timescale: number;
  /** Ticks: after the start of the segment (version 0), or media time (version 1). */
  readonly time: bigint;
  readonly isMediaTime: boolean;
  /** Ticks; absent when unknown. */
  readonly duration?: number;
  readonly data: Uint8Array;
};

const UNKNOWN = 0xffffffff;

/**
 * The event messages at the start of a segment, before its media (ISO/IEC 23009-1 5.10.3.3). Boxes that are cut off or
 * malformed are left out.
 */
export function readEmsg(bytes: Uint8Array): EventMessage[] {
  const messages: EventMessage[] = [];
  for (const { type, body, end } of readBoxes(bytes)) {
    if (type === 'moof' || type === 'mdat') break;
    if (type !== 'emsg' || end > bytes.length || end - body < 24) continue;
    const message = readMessage(bytes.subarray(body, end));
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

function readMessage(body: Uint8Array): EventMessage | undefined {
  const version = body[0];
  if (version !== 0 && version !== 1) return undefined;
  const isMediaTime = version === 1;
  const scheme = textAt(body, isMediaTime ? 24 : 4);
  const value = scheme && textAt(body, scheme.end);
  if (value === undefined || scheme === undefined) return undefined;
  const fields = isMediaTime ? 4 : value.end;
  const data = isMediaTime ? value.end : fields + 16;
  const timescale = data <= body.length ? readUint32(body, fields) : 0;
  if (timescale === 0) return undefined;
  const times = isMediaTime ? fields + 12 : fields + 8;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const duration = readUint32(body, times);
  return {
    scheme: scheme.text,
    id: readUint32(body, times + 4),
    timescale,
    time: isMediaTime ? view.getBigUint64(fields + 4) : BigInt(readUint32(body, fields + 4)),
    isMediaTime,
    ...(duration === UNKNOWN ? {} : { duration }),
    data: body.slice(data),
  };
}

function textAt(bytes: Uint8Array, start: number): { readonly text: string; readonly end: number } | undefined {
  const end = bytes.indexOf(0, start);
  return end < 0 ? undefined : { text: String.fromCharCode(...bytes.subarray(start, end)), end: end + 1 };
}
