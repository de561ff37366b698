// SPDX-License-Identifier: Apache-2.0
// ISO base media boxes (ISO/IEC 14496-12 §4.2): finds them in bytes and writes them. This module reads and writes MP4 as
// bytes; it has no files, no requests and no notion of assets.

export type Box = {
  readonly type: string;
  readonly start: number;
  readonly body: number;
  readonly end: number;
};

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** Zero beyond the end of the bytes: what is cut off is read as far as it goes. */
export const readUint8 = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;
/** Zeros beyond the end of the bytes. */
export const readUint16 = (bytes: Uint8Array, at: number): number =>
  (readUint8(bytes, at) << 8) | readUint8(bytes, at + 1);
export const readUint32 = (bytes: Uint8Array, at: number): number => view(bytes).getUint32(at);
export const readUint64 = (bytes: Uint8Array, at: number): number => Number(view(bytes).getBigUint64(at));
/** A four-character code; shorter at the end of the bytes. */
export const readCode = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** The most boxes read in one box. An hour of fragments of half a second has 14,400; the rest is not listed. */
const MAX_BOXES = 20_000;

/** The boxes between `start` and `end`. A box that the end cuts off is listed with its full size. */
export function readBoxes(bytes: Uint8Array, start = 0, end = bytes.length): Box[] {
  const boxes: Box[] = [];
  let at = start;
  while (at + 8 <= end && boxes.length < MAX_BOXES) {
    let size = readUint32(bytes, at);
    let header = 8;
    if (size === 1) {
      if (at + 16 > end) break;
      size = readUint64(bytes, at + 8);
      header = 16;
    } else if (size === 0) size = end - at;
    if (size < header) break;
    boxes.push({ type: readCode(bytes, at + 4), start: at, body: at + header, end: at + size });
    at += size;
  }
  return boxes;
}

/** The first box on a path such as `['moov', 'trak', 'mdia', 'mdhd']`, or undefined. */
export function findBox(bytes: Uint8Array, path: readonly string[], start = 0, end = bytes.length): Box | undefined {
  const [type, ...rest] = path;
  for (const box of readBoxes(bytes, start, end)) {
    if (box.type !== type) continue;
    if (rest.length === 0) return box;
    const inner = findBox(bytes, rest, box.body, Math.min(box.end, end));
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The first box on a path inside `parent`, if it ends within `parent` and has at least `least` bytes of payload. */
export function findInside(bytes: Uint8Array, parent: Box, path: readonly string[], least = 0): Box | undefined {
  const box = findBox(bytes, path, parent.body, parent.end);
  return box !== undefined && box.end <= parent.end && box.end - box.body >= least ? box : undefined;
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** A box of this type whose payload is the pieces, in order. */
export function writeBox(type: string, ...pieces: readonly Uint8Array[]): Uint8Array {
  const header = new Uint8Array(8);
  const size = pieces.reduce((length, piece) => length + piece.length, 8);
  view(header).setUint32(0, size);
  for (let i = 0; i < 4; i += 1) header[4 + i] = type.charCodeAt(i);
  return joinBytes([header, ...pieces]);
}

/** Fields of 32 bits, in order. */
export function writeFields(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const fields = view(bytes);
  values.forEach((value, index) => {
    fields.setUint32(4 * index, value);
  });
  return bytes;
}
