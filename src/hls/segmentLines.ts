// SPDX-License-Identifier: Apache-2.0
// The lines of segments, which the writers of all media playlists share (RFC 8216 §4.3). They are written once for all viewers who
// see a span.

import { ownMemo } from '../cache/memo.ts';
import { flat } from '../cache/sharedText.ts';
import { FLICKS_PER_SECOND, flicks, flicksToMicros, isoText, type Millis } from '../time/units.ts';
import type { MediaRef, Protection, Track } from '../timeline/asset/asset.ts';
import { type Cell, mediaTime, partOfClip, segmentStart } from '../timeline/asset/clip.ts';
import { listedCell } from '../timeline/asset/listedCell.ts';
import { segmentUrl } from '../timeline/asset/segmentUrl.ts';
import { clockAt, ofRung, type Placed, type Span } from '../timeline/programme/span.ts';
import type { Row } from '../timeline/programme/window.ts';
import { decimalSeconds } from './attributes.ts';

const byteRange = (ref: MediaRef): string => (ref.range ? `${ref.range.length}@${ref.range.start}` : '');

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** Playlists are ASCII: other characters of a source are percent-encoded (RFC 3986 §2.1). */
const ascii = (text: string): string => text.replace(/[^\x20-\x7e\n]+/g, (other) => encodeURI(wellFormed(other)));

const keyLines = (keys: readonly string[]): string => keys.map((attributes) => `#EXT-X-KEY:${attributes}\n`).join('');

/** With METHOD=AES-128 and no IV the sequence number is the IV (§5.2). Ours differs from the source's, so it is written. */
const keyLinesWithIv = (protection: Protection, iv: number): string =>
  (protection.hls ?? []).map((keys) => `#EXT-X-KEY:${keys},IV=0x${iv.toString(16).padStart(32, '0')}\n`).join('');

/** The key lines of segment `index`, if the segments of its track have different ones. */
function ownKeyLines({ protection }: Track, index: number): string {
  if (protection?.firstIv !== undefined) return ascii(keyLinesWithIv(protection, protection.firstIv + index));
  const keys = protection?.hlsOfEach?.[index];
  if (keys === undefined) return '';
  return keys.length === 0 ? NO_KEY : ascii(keyLines(keys));
}

export const NO_KEY = '#EXT-X-KEY:METHOD=NONE\n';

const isEncrypted = ({ protection }: Track): boolean =>
  protection?.hls !== undefined || protection?.hlsOfEach !== undefined;

/** The lines before the first segment of a track in a playlist. */
export type Head = {
  /** Empty also if each segment has its own. */
  readonly keys: string;
  readonly map: string;
  /** The keys that apply to the EXT-X-MAP tag. */
  readonly mapKeys: string;
  readonly isEncrypted: boolean;
};

export function headOf(track: Track): Head {
  const { init, protection } = track;
  const keys = protection?.firstIv === undefined ? ascii(keyLines(protection?.hls ?? [])) : '';
  const about = { keys, isEncrypted: isEncrypted(track) };
  if (init === undefined) return { map: '', mapKeys: '', ...about };
  const range = init.range ? `,BYTERANGE="${byteRange(init)}"` : '';
  const ofInit = protection?.hlsOfInit ?? protection?.hlsOfEach?.[0];
  const mapKeys = ofInit === undefined ? keys : ascii(keyLines(ofInit));
  return { map: ascii(`#EXT-X-MAP:URI="${init.url}"${range}\n`), mapKeys, ...about };
}

/**
 * A key applies to the EXT-X-MAP tags after it, too (RFC 8216 §4.3.2.4), so a map stands where its own keys are in force.
 * @param wasEncrypted whether keys are in force before these lines
 */
export function headLines({ keys, map, mapKeys, isEncrypted: isNext }: Head, wasEncrypted: boolean): string {
  if (map === '') return (wasEncrypted && !isNext ? NO_KEY : '') + keys;
  const before = mapKeys === '' && wasEncrypted ? NO_KEY : mapKeys;
  if (keys === mapKeys) return before + map;
  return before + map + (isNext ? keys : NO_KEY);
}

export const dateLine = (at: Millis): string => `#EXT-X-PROGRAM-DATE-TIME:${isoText(at)}\n`;

/** @param offset flicks after the start of the playlist */
export const startLine = (offset: number): string =>
  `#EXT-X-START:TIME-OFFSET=${(offset / FLICKS_PER_SECOND).toFixed(3)},PRECISE=YES\n`;

/** Marker tags of an origin. */
export const tagLines = (tags: readonly string[]): string => tags.map((tag) => `${ascii(tag)}\n`).join('');

/**
 * The lines of segment `index` of a track.
 * @param micros its duration in microseconds
 * @param date its EXT-X-PROGRAM-DATE-TIME line, if it has one
 */
export function segmentLines(track: Track, index: number, micros: number, date = ''): string {
  const ref = segmentUrl(track, index);
  const gap = track.gaps?.has(index) ? '#EXT-X-GAP\n' : '';
  const range = ref.range ? `#EXT-X-BYTERANGE:${byteRange(ref)}\n` : '';
  const tags = track.tags === undefined ? '' : tagLines(track.tags.get(index) ?? []);
  return `${tags}${ownKeyLines(track, index)}${date}${gap}#EXTINF:${decimalSeconds(micros)},\n${range}${ascii(ref.url)}\n`;
}

/** Lines of consecutive segments: segment i of the piece is text.slice(ends[i − 1] ?? 0, ends[i]). */
type Piece = { readonly text: string; readonly ends: Uint32Array };

/**
 * The lines of segments `begin` to `stop − 1` of a track.
 * @param microsAt where a segment starts, in whole microseconds. Durations are differences of these, so that the rounding errors of
 *   consecutive segments do not add up (law 6)
 * @param dateAt when its media start; absent for segments without dates
 */
export function writePiece(
  track: Track,
  begin: number,
  stop: number,
  microsAt: (index: number) => number,
  dateAt?: (index: number) => Millis,
): Piece {
  const ends = new Uint32Array(stop - begin);
  let text = '';
  let from = microsAt(begin);
  for (let index = begin; index < stop; index += 1) {
    const to = microsAt(index + 1);
    text += segmentLines(track, index, to - from, dateAt && dateLine(dateAt(index)));
    ends[index - begin] = text.length;
    from = to;
  }
  return { text: flat(text), ends };
}

/** Segments of a placed cell: both ends of a segment are rounded on the clock, and dates are those of the media. */
export function writeCell({ clip, start }: Placed, cell: Cell, begin: number, stop: number): Piece {
  const part = partOfClip(clip);
  return writePiece(
    cell.track,
    begin,
    stop,
    (index) => flicksToMicros(flicks(start.rest + segmentStart(clip, cell, index))),
    (index) => clockAt(start, mediaTime(part, cell, index) - clip.from),
  );
}

/** Segments that are written some at a time, when they are first listed: a cell may be hours long, a window is not. */
export type Pieces = {
  readonly size: number;
  /** Piece n begins n · size segments after the first. */
  readonly written: (Piece | undefined)[];
  /** Writes the piece that begins so many segments after the first. */
  readonly write: (begin: number) => Piece;
};

export function piecesText({ size, written, write }: Pieces, from: number, stop: number): string {
  let text = '';
  for (let at = from; at < stop; ) {
    const number = Math.floor(at / size);
    const begin = number * size;
    written[number] ??= write(begin);
    const piece = written[number];
    const to = Math.min(stop, begin + size);
    text += piece.text.slice(at === begin ? 0 : piece.ends[at - begin - 1], piece.ends[to - begin - 1]);
    at = to;
  }
  return text;
}

const SEGMENTS_IN_PIECE = 32;

/** The text of a cell, as far as it is written. */
export type CellText = {
  readonly head: Head;
  /** Before the first segment of a playlist, and after other media. */
  readonly first: string;
  readonly next: string;
  readonly nextAfterKeys: string;
  readonly pieces: Pieces;
};

export const DISCONTINUITY = '#EXT-X-DISCONTINUITY\n';

function newCellText({ placed }: Span, rung: number): CellText {
  const cell = listedCell(placed.clip, rung);
  const head = headOf(cell.track);
  const first = headLines(head, false);
  const write = (begin: number): Piece => {
    const from = cell.first + begin;
    return writeCell(placed, cell, from, Math.min(cell.end, from + SEGMENTS_IN_PIECE));
  };
  return {
    head,
    first,
    next: flat(DISCONTINUITY + first),
    nextAfterKeys: flat(DISCONTINUITY + headLines(head, true)),
    pieces: { size: SEGMENTS_IN_PIECE, written: [], write },
  };
}

/** The texts of a span's cells, by rung. */
const cellTexts = ownMemo(({ placed }: Span): (CellText | undefined)[] => new Array(placed.clip.cells.length));

export function cellText(span: Span, rung: number): CellText {
  const texts = cellTexts(span);
  texts[rung] ??= newCellText(span, rung);
  return texts[rung];
}

/** The lines of the segments that a row shows. @param from the first of them */
export function rowText(
  { span, first, end }: Row,
  rung: number,
  { pieces }: CellText,
  from = ofRung(first, rung),
): string {
  const begin = ofRung(span.placed.clip.firsts, rung);
  return piecesText(pieces, from - begin, ofRung(end, rung) - begin);
}
