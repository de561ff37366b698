// SPDX-License-Identifier: Apache-2.0
import { findBox, joinBytes, writeBox } from './boxes.ts';

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
