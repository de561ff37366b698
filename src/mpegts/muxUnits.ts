// SPDX-License-Identifier: Apache-2.0
// Turns samples in ISO base media form into access units of elementary streams.
import { readUint8, readUint16 } from '../mp4/boxes.ts';
import type { TsUnit } from './mux.ts';

export type NalCodec = 'h264' | 'h265';

/** The access unit delimiter for any slice type (ITU-T H.264 §7.3.2.4, H.265 §7.3.2.5). */
const DELIMITER: Record<NalCodec, readonly number[]> = {
  h264: [0, 0, 0, 1, 0x09, 0xf0],
  h265: [0, 0, 0, 1, 0x46, 0x01, 0x50],
};

/**
 * A video sample in byte stream form (H.264 annex B): delimiter, parameter sets if it is a random access point, NAL units.
 * @param sample NAL units, each preceded by its length in four bytes (ISO/IEC 14496-15 §5.3.3)
 * @throws if the lengths do not add up to the sample
 */
export function videoUnit(
  codec: NalCodec,
  parameterSets: readonly Uint8Array[],
  sample: Uint8Array,
  time: number,
  isRandomAccess: boolean,
): TsUnit {
  const sets = isRandomAccess ? parameterSets : [];
  const delimiter = DELIMITER[codec];
  const bytes = new Uint8Array(delimiter.length + sets.reduce((sum, set) => sum + 4 + set.length, 0) + sample.length);
  bytes.set(delimiter);
  let at = delimiter.length;
  for (const set of sets) {
    bytes[at + 3] = 1;
    bytes.set(set, at + 4);
    at += 4 + set.length;
  }
  bytes.set(sample, at);
  const view = new DataView(bytes.buffer);
  while (at < bytes.length) {
    const length = at + 4 <= bytes.length ? view.getUint32(at) : Number.POSITIVE_INFINITY;
    if (at + 4 + length > bytes.length) throw new Error('the NAL units of a sample must fill it exactly');
    view.setUint32(at, 1); // the start code replaces the length
    at += 4 + length;
  }
  return { time, bytes, isRandomAccess };
}

/** An AAC frame with its ADTS header (ISO/IEC 14496-3 1.A.2.2). @param audioSpecificConfig at least two bytes */
export function aacUnit(audioSpecificConfig: Uint8Array, frame: Uint8Array, time: number): TsUnit {
  const config = readUint16(audioSpecificConfig, 0);
  const objectType = config >> 11;
  const frequency = (config >> 7) & 15;
  const channels = (config >> 3) & 15;
  if (objectType < 1 || objectType > 4 || frequency > 12 || channels === 0 || channels > 7)
    throw new Error(
      'ADTS supports only AAC Main, LC, SSR and LTP, with a listed sample rate and channel configuration',
    );
  const length = frame.length + 7;
  const bytes = new Uint8Array(length);
  bytes.set([
    0xff,
    0xf1,
    ((objectType - 1) << 6) | (frequency << 2) | (channels >> 2),
    ((channels & 3) << 6) | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]);
  bytes.set(frame, 7);
  return { time, bytes, isRandomAccess: true };
}

/** The parameter sets of an AVC or HEVC decoder configuration record, in order (ISO/IEC 14496-15 §5.3.3.1, §8.3.3.1). */
export function parameterSets(codec: NalCodec, record: Uint8Array): Uint8Array[] {
  const sets: Uint8Array[] = [];
  let at = codec === 'h264' ? 5 : 23;
  const takeSets = (count: number): void => {
    for (let i = 0; i < count; i += 1) {
      const length = readUint16(record, at);
      sets.push(record.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  };
  if (codec === 'h264') {
    for (const mask of [0x1f, 0xff]) {
      at += 1;
      takeSets(readUint8(record, at - 1) & mask);
    }
    return sets;
  }
  for (let arrays = readUint8(record, 22); arrays > 0; arrays -= 1) {
    const count = readUint16(record, at + 1);
    at += 3;
    takeSets(count);
  }
  return sets;
}
