// SPDX-License-Identifier: Apache-2.0
// Writes the media playlist of a schedule's viewer from strips. The text is that of the same window in writeMedia.ts.
import type { Parts, SharedText } from '../cache/sharedText.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { ListedStrips, Shifts, Strip } from '../timeline/programme/strip.ts';
import { type Cut, cutStrip } from './cut.ts';
import { type PlaylistForm, playlistHead } from './playlistHead.ts';
import { cutReel } from './reel.ts';

/** The head up to the first segment, with the numbers as the viewer's earlier decisions have moved them. */
function headOf(
  { number, discontinuity, startsAt }: Cut,
  top: Strip,
  rung: number,
  ladder: Ladder,
  shifts: Shifts,
  form: PlaylistForm,
): string {
  const { odometer, decided } = shifts;
  let segments = number + odometer.segments[rung]!;
  let discontinuities = discontinuity + odometer.discontinuities;
  for (const one of decided) {
    if (one.startsAt > startsAt || one.strip === top) continue;
    segments += one.shift.segments[rung]!;
    discontinuities += one.shift.discontinuities;
  }
  return playlistHead(ladder, segments, discontinuities, form);
}

/**
 * The media playlist of one rung.
 * @param announces whether breaks and ads are announced as date ranges
 * @returns parts if the playlist contains long texts that all viewers of the channel share
 */
export function writeStrips(
  { strips, from, to }: ListedStrips,
  rung: number,
  ladder: Ladder,
  shifts: Shifts,
  announces = true,
  form: 'plain' | 'full' = 'plain',
): string | Parts {
  const parts: (string | SharedText)[] = [];
  let text = '';
  let last: Cut | undefined;
  for (const strip of strips) {
    const cut = strip.isOwn ? cutReel(strip, rung, announces, from, to) : cutStrip(strip, rung, announces, from, to);
    if (cut === undefined) continue;
    if (last === undefined) text = headOf(cut, strip, rung, ladder, shifts, form) + cut.top;
    else text += last.isEncryptedAtEnd ? cut.nextAfterKeys : cut.next;
    if (cut.long === undefined) text += cut.text;
    else {
      parts.push(text, cut.long);
      text = '';
    }
    last = cut;
  }
  if (last === undefined) return playlistHead(ladder, 0, 0, form);
  return parts.length === 0 ? text : text === '' ? parts : [...parts, text];
}
