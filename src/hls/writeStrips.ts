// SPDX-License-Identifier: Apache-2.0
// Writes the media playlist of a schedule's viewer from strips. The text is that of the same window in writeMedia.ts.
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { ListedStrips } from '../timeline/programme/strip.ts';
import { type Cut, cutStrip } from './cut.ts';
import { cutReel } from './reel.ts';
import { playlistHead } from './writeMedia.ts';

/**
 * The media playlist of one rung.
 * @param announces whether breaks and ads are announced as date ranges
 */
export function writeStrips(
  { strips, shifts, from, to }: ListedStrips,
  rung: number,
  ladder: Ladder,
  announces = true,
): string {
  let text = '';
  let last: Cut | undefined;
  for (let place = 0; place < strips.length; place += 1) {
    const strip = strips[place]!;
    const cut = strip.isOwn ? cutReel(strip, rung, announces, from, to) : cutStrip(strip, rung, announces, from, to);
    if (cut === undefined) continue;
    if (last === undefined) {
      const { segments, discontinuities } = shifts[place]!;
      text =
        playlistHead(ladder, cut.number + segments[rung]!, cut.discontinuity + discontinuities) + cut.top + cut.text;
    } else text += (last.isEncryptedAtEnd ? cut.nextAfterKeys : cut.next) + cut.text;
    last = cut;
  }
  return last === undefined ? playlistHead(ladder, 0, 0) : text;
}
