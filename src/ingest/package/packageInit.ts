import { findBox } from '../../mp4/boxes.ts';
import { readInit } from '../../mp4/readInit.ts';

/** What the init section of an encode says: read, never assumed, for encoders lower a profile when they see fit. */
export type EncodedInit = {
  /** RFC 6381. */
  readonly codecs: string;
  readonly timescale: number;
  /** The decoder configuration: payload of avcC, hvcC, dac3 or dec3, or the AudioSpecificConfig. */
  readonly config: Uint8Array;
};

const SAMPLE_ENTRY = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];
/** Where boxes begin in a sample entry (ISO/IEC 14496-12 §12.1.3, §12.2.3), and which of them holds the configuration. */
const CONFIGURATIONS: Record<string, { readonly at: number; readonly box: string }> = {
  avc1: { at: 78, box: 'avcC' },
  hvc1: { at: 78, box: 'hvcC' },
  hev1: { at: 78, box: 'hvcC' },
  mp4a: { at: 28, box: 'esds' },
  'ac-3': { at: 28, box: 'dac3' },
  'ec-3': { at: 28, box: 'dec3' },
};

/** @throws when it isn't the init section of one H.264, H.265, AAC, AC-3 or E-AC-3 track */
export function packageInit(init: Uint8Array): EncodedInit {
  const [track, another] = readInit(init) ?? [];
  if (track === undefined || another !== undefined) throw new Error('an init section of one track was wanted');
  const format = track.codec.slice(0, 4);
  const known = CONFIGURATIONS[format];
  const stsd = findBox(init, SAMPLE_ENTRY);
  const entry = stsd && findBox(init, [format], stsd.body + 8, stsd.end);
  const found = entry && known && findBox(init, [known.box], entry.body + known.at, entry.end);
  if (found === undefined) throw new Error(`a track that Midroll encodes was wanted, ${track.codec} came`);
  const payload = init.slice(found.body, found.end);
  const config = known!.box === 'esds' ? audioSpecificConfig(payload) : payload;
  return { codecs: track.codec, timescale: track.timescale, config };
}

/** The DecoderSpecificInfo of an ES_Descriptor (ISO/IEC 14496-1 §7.2.6) whose optional fields are absent. */
function audioSpecificConfig(esds: Uint8Array): Uint8Array {
  const fixed: Record<number, number> = { 3: 3, 4: 13 }; // bytes before the descriptors inside
  let at = 4;
  while (at < esds.length) {
    const tag = esds[at]!;
    let length = 0;
    do {
      at += 1;
      length = (length << 7) | (esds[at]! & 0x7f);
    } while (esds[at]! & 0x80);
    at += 1;
    if (tag === 5) return esds.slice(at, at + length);
    at += fixed[tag] ?? length;
  }
  throw new Error('an AudioSpecificConfig was wanted in esds');
}
