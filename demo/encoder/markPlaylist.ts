// SPDX-License-Identifier: Apache-2.0
// Writes the ad markers of breaks into a media playlist of the encoder.
import { BREAK_SECONDS, type SentBreak } from './sentBreaks.ts';

const firstNumber = (playlist: string): number => Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(playlist)?.[1] ?? 0);

/** The number after that of the last segment. */
export const nextNumber = (playlist: string): number =>
  firstNumber(playlist) + (playlist.match(/^#EXTINF:/gm)?.length ?? 0);

function markersAt(number: number, breaks: readonly SentBreak[]): string {
  const ends = breaks.some(({ to }) => to === number) ? '#EXT-X-CUE-IN\n' : '';
  // The length that was announced stays as it was listed, also if the break is ended before.
  const starts = breaks.some(({ from }) => from === number) ? `#EXT-X-CUE-OUT:${BREAK_SECONDS}\n` : '';
  return ends + starts;
}

/** @param breaks those of the run that the playlist is of */
export function markPlaylist(playlist: string, breaks: readonly SentBreak[]): string {
  let number = firstNumber(playlist);
  return playlist.replaceAll(/^#EXTINF:/gm, (tag) => {
    const markers = markersAt(number, breaks);
    number += 1;
    return markers + tag;
  });
}
