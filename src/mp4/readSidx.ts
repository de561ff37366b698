// SPDX-License-Identifier: Apache-2.0
import { readBoxes, readUint32, readUint64 } from './boxes.ts';

export type SidxReference = {
  /** Bytes of the referenced material. */
  readonly size: number;
  /** Ticks of the index's timescale. */
  readonly duration: number;
  readonly startsWithSap: boolean;
  /** True if the bytes are another index, not media. */
  readonly isIndex: boolean;
};

export type Sidx = {
  readonly timescale: number;
  /** The earliest presentation time of the first reference, in ticks, after any edit list (ISO/IEC 14496-12 §8.16.3.3). */
  readonly earliest: number;
  /** The position of the first referenced byte in the resource. */
  readonly firstOffset: number;
  readonly references: readonly SidxReference[];
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

function readReference(bytes: Uint8Array, at: number): SidxReference {
  const kindAndSize = readUint32(bytes, at);
  return {
    size: kindAndSize % HIGH_BIT,
    duration: readUint32(bytes, at + 4),
    startsWithSap: readUint32(bytes, at + 8) >= HIGH_BIT,
    isIndex: kindAndSize >= HIGH_BIT,
  };
}
