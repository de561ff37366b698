// SPDX-License-Identifier: Apache-2.0
// Writes media initialization sections (ISO/IEC 14496-12 §8): of timed text, and of video and audio in one.
import { findBox, joinBytes, writeBox, writeFields } from './boxes.ts';

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

/**
 * Combines the initialization sections of a video and an audio track. The video becomes track 1, the audio track 2. Each
 * track has its own timescale (ISO/IEC 14496-12 §8.4.2), so the movie header of the video is valid for both.
 */
export function writeMuxedInit(video: Uint8Array, audio: Uint8Array): Uint8Array {
  const part = (init: Uint8Array, ...path: string[]): Uint8Array => {
    const box = findBox(init, path);
    if (box === undefined) throw new Error(`an initialization section must contain ${path.join('/')}`);
    return new Uint8Array(init.subarray(box.start, box.end)); // a copy, which is changed below
  };
  const numbered = (box: Uint8Array, at: number, id: number): Uint8Array => {
    new DataView(box.buffer).setUint32(at, id);
    return box;
  };
  const mvhd = part(video, 'moov', 'mvhd');
  numbered(mvhd, mvhd.length - 4, 3); // next_track_ID is its last field (§8.2.2)
  const videoTrack = renumbered(part(video, 'moov', 'trak'), 1);
  const audioTrack = renumbered(part(audio, 'moov', 'trak'), 2);
  const mvex = writeBox(
    'mvex',
    numbered(part(video, 'moov', 'mvex', 'trex'), 12, 1),
    numbered(part(audio, 'moov', 'mvex', 'trex'), 12, 2),
  );
  return joinBytes([part(video, 'ftyp'), writeBox('moov', mvhd, videoTrack, audioTrack, mvex)]);
}

/** Sets track_ID in `tkhd`. It follows two times, which are longer in version 1 (§8.3.2). */
function renumbered(trak: Uint8Array, id: number): Uint8Array {
  const tkhd = findBox(trak, ['trak', 'tkhd']);
  if (tkhd === undefined) throw new Error('a track must contain a track header (tkhd)');
  new DataView(trak.buffer).setUint32(tkhd.body + (trak[tkhd.body] === 1 ? 20 : 12), id);
  return trak;
}
