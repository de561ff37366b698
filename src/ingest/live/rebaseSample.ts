// SPDX-License-Identifier: Apache-2.0
// Moves the media times of a sample near 0. Encoders often count them from 1970, which exceeds the range of flicks.
import type { MeasuredRendition } from '../measure/measureRendition.ts';

/** Media time at the start of the Period is 0 in DASH; renditions may have different offsets there. */
const offsetOf = ({ starts }: MeasuredRendition, format: 'hls' | 'dash'): number =>
  format === 'dash' ? (starts[0] ?? 0) : 0;

/** @param measured renditions with one part each; their distances do not change */
export function rebaseSample(measured: readonly MeasuredRendition[], format: 'hls' | 'dash'): MeasuredRendition[] {
  const firsts = measured
    .filter(({ isFloating }) => !isFloating)
    .map((each) => (each.rendition.tracks[0]!.borders[0]! - offsetOf(each, format)) / each.rendition.timescale);
  // Whole seconds are whole ticks of every timescale.
  const seconds = firsts.length === 0 ? 0 : Math.floor(Math.min(...firsts));
  return measured.map((each) => {
    const { rendition, starts, isFloating } = each;
    if (isFloating) return each;
    const offset = offsetOf(each, format);
    const base = seconds * rendition.timescale;
    const tracks = rendition.tracks.map((track) => ({
      ...track,
      borders: track.borders.map((border) => border - offset - base),
    }));
    const moved = starts.map((start) => (start === undefined ? undefined : start - offset));
    return { ...each, rendition: { ...rendition, tracks }, starts: moved };
  });
}
