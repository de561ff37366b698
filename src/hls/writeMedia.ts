// SPDX-License-Identifier: Apache-2.0
// Writes a column of the window as a media playlist (RFC 8216 §4.3.3). The window decides what is listed.
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { Shift, Span } from '../timeline/programme/span.ts';
import { firstNumber, type Row, type Window } from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { type CellText, cellText, rowText } from './cellText.ts';
import { passedTags } from './passedTags.ts';
import { type PlaylistForm, playlistHead } from './playlistHead.ts';
import { headLines, NO_KEY } from './segmentLines.ts';

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
export function writeRows(rows: readonly Row[], before: Row | undefined, rung: number, announces: boolean): string {
  let text = '';
  let last = before;
  for (const row of rows) {
    const { span } = row;
    const texts = cellText(span, rung);
    text += rowHead(span, texts, last?.span, rung);
    if (announces) text += announceSpan(span, last?.span);
    text += passedTags(row, last, rung) + rowText(row, rung, texts);
    last = row;
  }
  return text;
}

/** The numbers of the window's first segment, as the viewer's decisions have moved them. */
export function headOfWindow({ rows: [top] }: Window, rung: number, ladder: Ladder, shift: Shift, form: PlaylistForm) {
  const number = top === undefined ? 0 : firstNumber(top, rung) + shift.segments[rung]!;
  const discontinuity = top === undefined ? 0 : top.span.discontinuity + shift.discontinuities;
  return playlistHead(ladder, number, discontinuity, form);
}

/**
 * The media playlist of one rung.
 * @param ladder its target duration never changes (law 4)
 * @param shift how far the viewer's decisions have moved the numbers of the window's first row
 * @param announces whether breaks and ads are announced as date ranges
 */
export function writeMedia(
  window: Window,
  rung: number,
  ladder: Ladder,
  shift: Shift,
  announces = true,
  form: 'plain' | 'full' = 'plain',
): string {
  return headOfWindow(window, rung, ladder, shift, form) + writeRows(window.rows, undefined, rung, announces);
}
