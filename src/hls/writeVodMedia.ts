// SPDX-License-Identifier: Apache-2.0
// Writes one rung of a whole presentation as a media playlist of type VOD (RFC 8216 §4.3.3.5). The lines of a segment follow
// from its track alone, so viewers with other ads and other breaks share them; only the first segment of a span has a date.

import { memo } from '../cache/memo.ts';
import { type Flicks, flicks, flicksToMicros, millis } from '../time/units.ts';
import type { Part, Track } from '../timeline/asset/asset.ts';
import { type Cell, type Clip, mediaTime, partOfClip } from '../timeline/asset/clip.ts';
import { listedCell } from '../timeline/asset/listedCell.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { clockAt, ofRung, type Span } from '../timeline/programme/span.ts';
import { announceSpan } from './announce.ts';
import {
  DISCONTINUITY,
  dateLine,
  type Head,
  headLines,
  headOf,
  type Pieces,
  piecesText,
  segmentLines,
  startLine,
  writePiece,
} from './segmentLines.ts';

/** Milliseconds, an audio frame: how much later than the picture the last audio may be dated. */
const MAX_LATE = 25;

/** The number of segments that are written at a time, so that a track of many hours does not delay other requests. */
const SEGMENTS_IN_PIECE = 512;

/**
 * The text of a track, as far as it is written. Both ends of a segment are rounded on the time line of their part, not within a clip:
 * so the text is the same however the part is cut.
 */
const trackPieces = memo((_: Track): { made?: Pieces } => ({}));

function piecesOf(clip: Clip, cell: Cell): Pieces {
  const { track } = cell;
  const part = partOfClip(clip);
  const known = trackPieces(track);
  const microsOf = (index: number) => microsAt(part, cell, index);
  known.made ??= {
    size: SEGMENTS_IN_PIECE,
    written: [],
    write: (begin) => writePiece(track, begin, Math.min(track.borders.length - 1, begin + SEGMENTS_IN_PIECE), microsOf),
  };
  return known.made;
}

/** Where segment `index` starts, or the segment before it ends. */
function microsAt(part: Part, cell: Cell, index: number): number {
  const { audioStarts, borders } = cell.track;
  if (index < borders.length - 1) return flicksToMicros(mediaTime(part, cell, index));
  // The audio of an ad may start before it. Its durations add up to the ad's all the same.
  return flicksToMicros(flicks(part.duration + (audioStarts === undefined ? 0 : mediaTime(part, cell, 0))));
}

const cellText = (clip: Clip, cell: Cell, end = cell.end): string => piecesText(piecesOf(clip, cell), cell.first, end);

/** @param micros the sum of EXTINF */
function lastText({ placed: { clip } }: Span, rung: number, micros: number): string {
  const cell = listedCell(clip, rung);
  const part = partOfClip(clip);
  const last = cell.end - 1;
  const before = microsAt(part, cell, last) - microsAt(part, cell, cell.first);
  return cellText(clip, cell, last) + segmentLines(cell.track, last, micros - before);
}

const microsOfClip = ({ from, duration }: Clip): number =>
  flicksToMicros(flicks(from + duration)) - flicksToMicros(from);

type ClipText = {
  readonly head: Head;
  /** When the first segment starts, in flicks after the start of the clip. */
  readonly starts: Flicks;
  readonly segments: string;
  /** The sum of EXTINF, in microseconds. */
  readonly micros: number;
};

/** By rung. Viewers share the clips of content that is cut at the same places, and the clips of ads. */
const clipTexts = memo((_: Clip): (ClipText | undefined)[] => []);

function clipText(clip: Clip, rung: number): ClipText {
  const texts = clipTexts(clip);
  const known = texts[rung];
  if (known !== undefined) return known;
  const cell = listedCell(clip, rung);
  const part = partOfClip(clip);
  const starts = flicks(mediaTime(part, cell, cell.first) - clip.from);
  const micros = microsAt(part, cell, cell.end) - microsAt(part, cell, cell.first);
  const made = { head: headOf(cell.track), starts, segments: cellText(clip, cell), micros };
  texts[rung] = made;
  return made;
}

export type VodMediaOptions = {
  /** Whether breaks and ads are announced as date ranges. */
  readonly announces: boolean;
  /** Flicks after the start at which players should begin. */
  readonly startOffset?: number | undefined;
  /** By how many microseconds the last segment is listed as longer than it is. */
  readonly longer?: number;
};

/** @param spans all spans of a presentation, in order; their numbers start at 0 */
export function writeVodMedia(
  spans: readonly Span[],
  rung: number,
  ladder: Ladder,
  { announces, startOffset, longer = 0 }: VodMediaOptions,
): string {
  let text =
    `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:${ladder.targetDuration}\n#EXT-X-MEDIA-SEQUENCE:0\n` +
    '#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n';
  if (startOffset !== undefined) text += startLine(startOffset);
  const last = spans.at(-1);
  let before: Span | undefined;
  let wasEncrypted = false;
  /** Microseconds since 1970: where the durations that are listed end, from the date of the first segment on. */
  let listed: number | undefined;
  for (const span of spans) {
    const lines = clipText(span.placed.clip, rung);
    if (before !== undefined) text += DISCONTINUITY;
    text += headLines(lines.head, wasEncrypted);
    if (announces) text += announceSpan(span, before);
    const date = clockAt(span.placed.start, lines.starts);
    listed ??= 1000 * date;
    const { clip, startsAt } = span.placed;
    const isAudio = ofRung(clip.cells, rung).rendition.kind === 'audio';
    let dated = date;
    let { micros } = lines;
    if (span === last) {
      // Audio ends exactly with the video: at the end, Shaka Player waits for ever for a part of a millisecond that is missing. It is
      // not dated before the sum of EXTINF: Shaka Player cuts the last segment off at the end of the video, and then moves it to its date.
      if (isAudio) {
        dated = millis(Math.max(date, Math.ceil(listed / 1000)));
        micros = microsOfClip(clip) + 1000 * (startsAt - dated);
      }
      micros += longer;
    } else if (isAudio && last !== undefined && span === spans.at(-2)) {
      // The sums of many clips may be late by more than a frame, and the last one is dated after them.
      micros = Math.min(micros, 1000 * (last.placed.startsAt + MAX_LATE) - listed);
    }
    text += dateLine(dated) + (micros === lines.micros ? lines.segments : lastText(span, rung, micros));
    listed += micros;
    before = span;
    wasEncrypted = lines.head.isEncrypted;
  }
  return `${text}#EXT-X-ENDLIST\n`;
}

/** A playlist in another folder than the one that its relative URIs are meant for. @param path to that folder */
export const rebased = (text: string, path: string): string =>
  text.replace(/^(?=[^#\n])|(?<=URI=")/gm, (_, at: number) => (isAbsolute(text, at) ? '' : path));

/** RFC 3986 §4.2, §4.3. */
const ABSOLUTE = /[a-z][a-z0-9+.-]*:|\//iy;

function isAbsolute(text: string, at: number): boolean {
  ABSOLUTE.lastIndex = at;
  return ABSOLUTE.test(text);
}
