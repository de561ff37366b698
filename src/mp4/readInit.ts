// SPDX-License-Identifier: Apache-2.0
// The media initialization section (ISO/IEC 14496-12 §8): its tracks, their timescales and their codecs.
import {
  type Box,
  findBox,
  findInside,
  readBoxes,
  readCode,
  readUint8,
  readUint16,
  readUint32,
  readUint64,
} from './boxes.ts';
import { readSampleEntry, type SampleEntry } from './readCodec.ts';

export type InitTrack = SampleEntry & {
  readonly id: number;
  /** `vide`, `soun`, `text`, `subt` … */
  readonly handler: string;
  /** Ticks per second (mdhd). */
  readonly timescale: number;
  /** RFC 5646 or ISO 639-2. Absent if the track does not state one. */
  readonly language?: string;
  /** What the edit list adds to composition times to get presentation times, in ticks; 0 without one (§8.6.6). */
  readonly editShift: number;
  /**
   * What Chromium adds instead: it reads only the first edit, and ignores it if it is empty. The HLS muxer of ffmpeg writes
   * an empty edit first whenever its streams do not all start at zero.
   */
  readonly firstEditShift: number;
  /** The sample duration of `trex`, in ticks, which applies unless a fragment states another (§8.8.3); 0 without one. */
  readonly defaultDuration: number;
};

/** Renditions of one file; further ones are not read. */
export const MAX_TRACKS = 200;

/** The number of tracks, including tracks that are not read. */
export const trackCount = (bytes: Uint8Array): number => {
  const moov = findBox(bytes, ['moov']);
  return moov === undefined ? 0 : readBoxes(bytes, moov.body, moov.end).filter(({ type }) => type === 'trak').length;
};

/** The tracks of `moov`. @returns undefined if the bytes contain no complete `moov` */
export function readInit(bytes: Uint8Array): InitTrack[] | undefined {
  const moov = findBox(bytes, ['moov']);
  if (moov === undefined || moov.end > bytes.length) return undefined;
  const children = readBoxes(bytes, moov.body, moov.end).filter(({ end }) => end <= moov.end);
  const mvhd = children.find(({ type }) => type === 'mvhd');
  const movieTimescale = (mvhd && timescaleOf(bytes, mvhd)) || 1;
  const durations = defaultDurations(bytes, moov);
  const traks = children.filter(({ type }) => type === 'trak').slice(0, MAX_TRACKS);
  const tracks = traks.map((trak) => readTrack(bytes, trak, movieTimescale));
  return tracks
    .filter((track) => track !== undefined)
    .map((track) => ({ ...track, defaultDuration: durations.get(track.id) ?? 0 }));
}

/** The timescale of `mvhd` or `mdhd`, which begin with the same fields. */
function timescaleOf(bytes: Uint8Array, box: Box): number | undefined {
  const at = box.body + (bytes[box.body] === 1 ? 20 : 12);
  return at + 4 <= box.end ? readUint32(bytes, at) : undefined;
}

function readTrack(
  bytes: Uint8Array,
  trak: Box,
  movieTimescale: number,
): Omit<InitTrack, 'defaultDuration'> | undefined {
  const inside = (...path: string[]): Box | undefined => findInside(bytes, trak, path);
  const [tkhd, mdhd, hdlr, stsd] = [
    inside('tkhd'),
    inside('mdia', 'mdhd'),
    inside('mdia', 'hdlr'),
    inside('mdia', 'minf', 'stbl', 'stsd'),
  ];
  if (!tkhd || !mdhd || !hdlr || !stsd || hdlr.body + 12 > hdlr.end) return undefined;
  const timescale = timescaleOf(bytes, mdhd);
  const idAt = tkhd.body + (bytes[tkhd.body] === 1 ? 20 : 12);
  const entry = readBoxes(bytes, stsd.body + 8, stsd.end)[0];
  if (!timescale || idAt + 4 > tkhd.end || entry === undefined || entry.end > stsd.end) return undefined;
  const handler = readCode(bytes, hdlr.body + 8);
  const language = readLanguage(bytes, mdhd, inside('mdia', 'elng'));
  const elst = inside('edts', 'elst');
  return {
    id: readUint32(bytes, idAt),
    handler,
    timescale,
    ...(language === undefined ? {} : { language }),
    ...(elst === undefined ? { editShift: 0, firstEditShift: 0 } : readEdits(bytes, elst, timescale, movieTimescale)),
    ...readSampleEntry(bytes, entry, handler),
  };
}

/** The language of `elng` (§8.4.6), otherwise the three packed letters of `mdhd`. */
function readLanguage(bytes: Uint8Array, mdhd: Box, elng: Box | undefined): string | undefined {
  if (elng !== undefined) {
    const text = String.fromCharCode(...bytes.subarray(elng.body + 4, Math.min(elng.end, elng.body + 40)));
    const [tag = ''] = text.split('\0');
    if (tag !== '') return tag;
  }
  const at = mdhd.body + (bytes[mdhd.body] === 1 ? 32 : 20);
  if (at + 2 > mdhd.end) return undefined;
  const packed = readUint16(bytes, at);
  const letters = [10, 5, 0].map((shift) => String.fromCharCode(((packed >> shift) & 31) + 0x60)).join('');
  return /^[a-z]{3}$/.test(letters) && letters !== 'und' ? letters : undefined;
}

/** Empty edits at the start delay the track. The first other edit states the composition time that plays first (§8.6.6). */
function readEdits(
  bytes: Uint8Array,
  elst: Box,
  timescale: number,
  movieTimescale: number,
): Pick<InitTrack, 'editShift' | 'firstEditShift'> {
  const isWide = bytes[elst.body] === 1;
  const size = isWide ? 20 : 12;
  const first = elst.body + 8;
  const count = first <= elst.end ? readUint32(bytes, elst.body + 4) : 0;
  let delay = 0;
  for (let i = 0; i < count && first + (i + 1) * size <= elst.end; i += 1) {
    const at = first + i * size;
    const duration = isWide ? readUint64(bytes, at) : readUint32(bytes, at);
    const timeAt = at + (isWide ? 8 : 4);
    const isEmpty = readUint8(bytes, timeAt) >= 0x80; // media_time −1
    if (!isEmpty) {
      const mediaTime = isWide ? readUint64(bytes, timeAt) : readUint32(bytes, timeAt);
      const editShift = Math.round((delay * timescale) / movieTimescale) - mediaTime;
      return { editShift, firstEditShift: i === 0 ? editShift : 0 };
    }
    delay += duration;
  }
  return { editShift: 0, firstEditShift: 0 };
}

function defaultDurations(bytes: Uint8Array, moov: Box): Map<number, number> {
  const mvex = findBox(bytes, ['mvex'], moov.body, moov.end);
  const durations = new Map<number, number>();
  if (mvex === undefined) return durations;
  for (const box of readBoxes(bytes, mvex.body, Math.min(mvex.end, moov.end))) {
    if (box.type !== 'trex' || box.body + 16 > box.end || box.end > moov.end) continue;
    durations.set(readUint32(bytes, box.body + 4), readUint32(bytes, box.body + 12));
  }
  return durations;
}
