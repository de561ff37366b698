// SPDX-License-Identifier: Apache-2.0
import { readUint8 } from './boxes.ts';

/** What an `esds` box states about its decoder. */
export type DecoderConfig = {
  /** objectTypeIndication (ISO/IEC 14496-1 table 5), for example 0x40 for MPEG-4 audio. */
  readonly objectType: number;
  /** DecoderSpecificInfo: for MPEG-4 audio, the AudioSpecificConfig. Absent if there is none. */
  readonly config?: Uint8Array;
};

/**
 * Walks ES_Descriptor, DecoderConfigDescriptor and DecoderSpecificInfo (ISO/IEC 14496-1 §7.2.6).
 * @param esds the payload of the box
 * @returns undefined if it does not contain the first two descriptors
 */
export function readEsds(esds: Uint8Array): DecoderConfig | undefined {
  let at = 4; // version and flags
  /** Moves to the content of a descriptor. @returns its length */
  const enter = (tag: number): number | undefined => {
    if (esds[at] !== tag) return undefined;
    let length = 0;
    let byte: number;
    let left = 4;
    do {
      at += 1;
      left -= 1;
      byte = readUint8(esds, at);
      length = (length << 7) | (byte & 0x7f);
    } while (byte & 0x80 && left > 0);
    at += 1;
    return at < esds.length ? length : undefined;
  };
  if (enter(3) === undefined) return undefined;
  const flags = readUint8(esds, at + 2);
  // streamDependenceFlag, URL_Flag and OCRstreamFlag announce optional fields.
  at += 3 + (flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 + readUint8(esds, at + 3) : 0) + (flags & 0x20 ? 2 : 0);
  if (enter(4) === undefined) return undefined;
  const objectType = readUint8(esds, at);
  at += 13;
  const length = enter(5);
  return length === undefined ? { objectType } : { objectType, config: esds.slice(at, at + length) };
}
