// SPDX-License-Identifier: Apache-2.0
import { findBox } from '../../mp4/boxes.ts';
import { readEsds } from '../../mp4/readEsds.ts';
import { readInit } from '../../mp4/readInit.ts';

/** Facts of an encode, read from its initialization section: an encoder may choose a lower profile than requested. */
export type EncodedInit = {
  /** RFC 6381. */
  readonly codecs: string;
  readonly timescale: number;
  /** The decoder configuration: the payload of avcC, hvcC, dac3 or dec3, or the AudioSpecificConfig. */
  readonly config: Uint8Array;
};

const SAMPLE_ENTRY = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];
/** The offset of the first box in a sample entry (ISO/IEC 14496-12 §12.1.3, §12.2.3), and the box with the configuration. */
const CONFIGURATIONS: Record<string, { readonly at: number; readonly box: string }> = {
  avc1: { at: 78, box: 'avcC' },
  hvc1: { at: 78, box: 'hvcC' },
  hev1: { at: 78, box: 'hvcC' },
  mp4a: { at: 28, box: 'esds' },
  'ac-3': { at: 28, box: 'dac3' },
  'ec-3': { at: 28, box: 'dec3' },
};

/** @throws unless it is the initialization section of a single H.264, H.265, AAC, AC-3 or E-AC-3 track */
export function packageInit(init: Uint8Array): EncodedInit {
  const [track, another] = readInit(init) ?? [];
  if (track === undefined || another !== undefined)
    throw new Error('the initialization section of an encode must have exactly one track');
  const format = track.codec.slice(0, 4);
  const known = CONFIGURATIONS[format];
  const stsd = findBox(init, SAMPLE_ENTRY);
  const entry = stsd && findBox(init, [format], stsd.body + 8, stsd.end);
  const found = entry && known && findBox(init, [known.box], entry.body + known.at, entry.end);
  if (found === undefined)
    throw new Error(`the encoder must write one of ${Object.keys(CONFIGURATIONS).join(', ')}; got ${track.codec}`);
  const payload = init.slice(found.body, found.end);
  const config = known!.box === 'esds' ? readEsds(payload)?.config : payload;
  if (config === undefined) throw new Error('esds must contain an AudioSpecificConfig');
  return { codecs: track.codec, timescale: track.timescale, config };
}
