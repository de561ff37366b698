// SPDX-License-Identifier: Apache-2.0
// The lines before the first segment of a media playlist of a linear or live channel (RFC 8216bis §4.4.3).
import { memo } from '../cache/memo.ts';
import { holdBackMillis } from '../timeline/ladder/holdBack.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { decimalSeconds } from './attributes.ts';
import { skipBoundaryMillis } from './skipBoundary.ts';

/** `plain`: without delta updates; `full`: a playlist that has them; `delta`: such an update (delta/writeDelta.ts). */
export type PlaylistForm = 'plain' | 'full' | 'delta';

/** The lines before and after the numbers. */
const frames = memo((ladder: Ladder) => {
  const before = (version: number) =>
    `#EXTM3U\n#EXT-X-VERSION:${version}\n#EXT-X-TARGETDURATION:${ladder.targetDuration}\n#EXT-X-MEDIA-SEQUENCE:`;
  const control = `HOLD-BACK=${decimalSeconds(1000 * holdBackMillis(ladder))}`;
  const skipping = `${control},CAN-SKIP-UNTIL=${decimalSeconds(1000 * skipBoundaryMillis(ladder))}`;
  const after = (attributes: string) => `\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-SERVER-CONTROL:${attributes}\n`;
  return {
    plain: { before: before(6), after: after(control) },
    full: { before: before(6), after: after(skipping) },
    // §8: EXT-X-SKIP requires version 9.
    delta: { before: before(9), after: after(skipping) },
  };
});

export function playlistHead(ladder: Ladder, number: number, discontinuity: number, form: PlaylistForm): string {
  const { before, after } = frames(ladder)[form];
  return `${before}${number}\n#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}${after}`;
}
