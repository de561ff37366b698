// SPDX-License-Identifier: Apache-2.0
import { joinBytes, writeBox, writeFields } from './boxes.ts';

const encoder = new TextEncoder();

/** The identity matrix of ISO/IEC 14496-12 §6.2.2. */
const matrix = writeFields(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
/** `und`, three letters of five bits each (§8.4.2). */
const UNDETERMINED = 0x55c40000;

/** The media header of each kind of timed text: text in samples (§12.5), or XML documents (§12.6). */
const mediaHeaders = { text: 'nmhd', subt: 'sthd' } as const;

/**
 * The media initialization section of one timed text track, track 1 (ISO/IEC 14496-12 §8, CMAF §7.5).
 * @param timescale in ticks per second
 * @param entry the sample entry, as a box
 */
export function writeTextInit(
  timescale: number,
  entry: Uint8Array,
  handler: keyof typeof mediaHeaders = 'text',
): Uint8Array {
  const mvhd = writeBox(
    'mvhd',
    writeFields(0, 0, 0, timescale, 0, 0x10000, 0x01000000, 0, 0),
    matrix,
    new Uint8Array(24),
    writeFields(2),
  );
  const tkhd = writeBox('tkhd', writeFields(3, 0, 0, 1, 0, 0, 0, 0, 0, 0), matrix, writeFields(0, 0));
  const mdhd = writeBox('mdhd', writeFields(0, 0, 0, timescale, 0, UNDETERMINED));
  const hdlr = writeBox('hdlr', writeFields(0, 0), encoder.encode(handler), writeFields(0, 0, 0), new Uint8Array(1));
  const dinf = writeBox('dinf', writeBox('dref', writeFields(0, 1), writeBox('url ', writeFields(1))));
  const stbl = writeBox(
    'stbl',
    writeBox('stsd', writeFields(0, 1), entry),
    writeBox('stts', writeFields(0, 0)),
    writeBox('stsc', writeFields(0, 0)),
    writeBox('stsz', writeFields(0, 0, 0)),
    writeBox('stco', writeFields(0, 0)),
  );
  const minf = writeBox('minf', writeBox(mediaHeaders[handler], writeFields(0)), dinf, stbl);
  const trak = writeBox('trak', tkhd, writeBox('mdia', mdhd, hdlr, minf));
  const mvex = writeBox('mvex', writeBox('trex', writeFields(0, 1, 1, 0, 0, 0)));
  const ftyp = writeBox('ftyp', encoder.encode('iso6\0\0\0\0iso6cmfcdash'));
  return joinBytes([ftyp, writeBox('moov', mvhd, trak, mvex)]);
}
