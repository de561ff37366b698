// SPDX-License-Identifier: Apache-2.0
// Writes a column of the window as a media playlist (RFC 8216 §4.3.3), row by row. The window decides what is listed. Schedules are
// written from strips instead (mediaCard.ts).

import { memo } from '../cache/memo.ts';
import { holdBackMillis, type Ladder } from '../timeline/ladder/ladder.ts';
import { breakOf, ofRung, type Shift, type Span } from '../timeline/programme/span.ts';
import { firstNumber, type Row, type Window } from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { decimalSeconds } from './attributes.ts';
import { type Markers, markedText, markersBefore, upcomingRanges } from './breakMarkers.ts';
import { type CellText, cellText, headLines, NO_KEY, rowText, tagLines } from './segmentLines.ts';

/** Whether a row continues the media of the row before it, so that no discontinuity is between them (§4.3.2.3). */
export const continues = ({ stretch }: Span, before: Span): boolean =>
  stretch !== undefined && stretch.id === before.stretch?.id;

/** What precedes the segments of a row. Continuous media repeat their key and their MAP only where these change. */
function rowHead(
  span: Span,
  { head, first, next, nextAfterKeys }: CellText,
  before: Span | undefined,
  rung: number,
): string {
  if (before === undefined) return first;
  const last = cellText(before, rung).head;
  if (!continues(span, before)) return last.isEncrypted ? nextAfterKeys : next;
  const isSameMap = head.map === last.map && (head.map === '' || head.mapKeys === last.mapKeys);
  if (!isSameMap) return headLines(head, last.isEncrypted);
  if (last.isEncrypted && !head.isEncrypted) return NO_KEY;
  return head.keys === last.keys ? '' : head.keys;
}

/** The lines of rows. @param before the row before them */
export function writeRows(
  rows: readonly Row[],
  before: Row | undefined,
  rung: number,
  { announces = true, markers }: Announcing,
): string {
  let text = '';
  let last = before;
  for (const row of rows) {
    const { span } = row;
    const texts = cellText(span, rung);
    text += rowHead(span, texts, last?.span, rung);
    if (announces) text += announceSpan(span, last?.span);
    if (markers === undefined) text += passedTags(row, last, rung) + rowText(row, rung, texts);
    else text += markersBefore(row, last?.span, rung, markers.dialect) + markedText(row, rung, texts, markers.dialect);
    last = row;
  }
  return text;
}

/** How breaks are announced. */
type Announcing = {
  /** Whether breaks and ads are announced as date ranges; true by default. */
  readonly announces?: boolean;
  /** The ad markers of breaks, in place of those of the origin. */
  readonly markers?: Markers | undefined;
};

/** What the media playlists of a viewer have in common. */
export type MediaFrame = Announcing & {
  /** The target duration of the ladder never changes (law 4). */
  readonly ladder: Ladder;
  /** `plain` by default. */
  readonly form?: PlaylistForm;
};

/** The lines before the first segment, with its numbers as the viewer's decisions have moved them. */
export function headOfWindow({ rows }: Window, rung: number, shift: Shift, frame: MediaFrame): string {
  const [top] = rows;
  const number = top === undefined ? 0 : firstNumber(top, rung) + ofRung(shift.segments, rung);
  const discontinuity = top === undefined ? 0 : top.span.discontinuity + shift.discontinuities;
  const head = playlistHead(playlistFrame(frame), number, discontinuity);
  return frame.markers === undefined ? head : head + upcomingRanges(frame.markers, rows);
}

/**
 * The media playlist of one rung.
 * @param shift how far the viewer's decisions have moved the numbers of the window's first row
 */
export function writeMedia(window: Window, rung: number, shift: Shift, frame: MediaFrame): string {
  return headOfWindow(window, rung, shift, frame) + writeRows(window.rows, undefined, rung, frame);
}

/**
 * `plain`: without delta updates; `full`: a playlist that has them; `delta`: such an update (writeDelta.ts); `guided`: a plain one
 * with interstitials (interstitials.ts).
 */
type PlaylistForm = 'plain' | 'full' | 'delta' | 'guided';

/** RFC 8216bis §8: EXT-X-SKIP requires version 9, EXT-X-DEFINE version 8. */
const VERSIONS: Readonly<Record<PlaylistForm, number>> = { plain: 6, full: 6, delta: 9, guided: 8 };

/** The lines of a playlist before its media sequence number, and those after its discontinuity sequence number. */
export type PlaylistFrame = { readonly before: string; readonly after: string };

/** The variable that URIs of asset lists contain: the multivariant playlist defines it (§4.4.2.3). */
export const SESSION_VARIABLE = 'sid';
const IMPORT = `#EXT-X-DEFINE:IMPORT="${SESSION_VARIABLE}"\n`;

/** By form and target duration. */
const playlistFrames = new Map<string, PlaylistFrame>();

function newFrame(ladder: Segments, form: PlaylistForm): PlaylistFrame {
  const hasSkips = form === 'full' || form === 'delta';
  const skipping = !hasSkips ? '' : `,CAN-SKIP-UNTIL=${decimalSeconds(1000 * skipBoundaryMillis(ladder))}`;
  const control = `HOLD-BACK=${decimalSeconds(1000 * holdBackMillis(ladder))}${skipping}`;
  return {
    before: `#EXTM3U\n#EXT-X-VERSION:${VERSIONS[form]}\n#EXT-X-TARGETDURATION:${ladder.targetDuration}\n#EXT-X-MEDIA-SEQUENCE:`,
    after: `\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-SERVER-CONTROL:${control}\n${form === 'guided' ? IMPORT : ''}`,
  };
}

/** All channels with a target duration share the frame. */
export function playlistFrame({ ladder, form = 'plain' }: MediaFrame): PlaylistFrame {
  const key = `${form} ${ladder.targetDuration}`;
  const known = playlistFrames.get(key) ?? newFrame(ladder, form);
  playlistFrames.set(key, known);
  return known;
}

/** The lines before the first segment of a media playlist of a linear or live channel (RFC 8216bis §4.4.3). */
export const playlistHead = ({ before, after }: PlaylistFrame, number: number, discontinuity: number): string =>
  `${before}${number}\n#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}${after}`;

type Segments = Pick<Ladder, 'targetDuration'>;

/**
 * The Skip Boundary in milliseconds, within which segments are never skipped: six target durations, the least that RFC 8216bis
 * §4.4.3.8 allows for CAN-SKIP-UNTIL.
 */
export const skipBoundaryMillis = ({ targetDuration }: Segments): number => 6000 * targetDuration;

/**
 * Whether delta updates are announced (§6.2.5.1): from twice the boundary on, an update is half of the playlist at most.
 * @param depth of the window, in milliseconds
 */
export const hasDeltas = (depth: number, ladder: Segments): boolean => depth >= 2 * skipBoundaryMillis(ladder);

const START = /^#EXT-X-DATERANGE:(.*,)?\s*SCTE35-OUT=/i;

const linesOf = memo((tags: readonly string[]) => ({
  all: tagLines(tags),
  ranges: tagLines(tags.filter((tag) => START.test(tag))),
}));

/**
 * The marker tags of a live origin at the start of a break, before the first segment that a viewer is shown in it. The
 * tags before other segments are in segmentLines.ts. A tag leaves the playlist with its segment; a date range that
 * states the start of the break is listed as long as one of its segments is.
 * @param before the row that is listed before it
 */
export function passedTags({ span, first }: Row, before: Row | undefined, rung: number): string {
  const place = breakOf(span);
  if (place?.tags === undefined) return '';
  const { all, ranges } = linesOf(place.tags);
  const { clip, startsAt } = span.placed;
  if (startsAt === place.startsAt && first[rung] === clip.firsts[rung]) return all;
  return before === undefined ? ranges : '';
}
