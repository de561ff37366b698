// SPDX-License-Identifier: Apache-2.0
// The 90 kHz clock of MPEG-2 systems. Its time stamps have 33 bits, so they wrap after 26.5 hours (ISO/IEC 13818-1
// §2.4.3.7).

/** Ticks per second. */
export const MPEG_TIMESCALE = 90_000;
/** In ticks. */
export const MPEG_WRAP = 2 ** 33;

/** As it is written: 0 to 2^33 − 1. Negative times wrap as well. */
export const wrapMpegTime = (ticks: number): number => ((ticks % MPEG_WRAP) + MPEG_WRAP) % MPEG_WRAP;

/** The time nearest to `expected` that differs from `time` by a multiple of `wrap`; all in the same unit. */
export const unwrapTime = (time: number, expected: number, wrap: number = MPEG_WRAP): number =>
  time + wrap * Math.round((expected - time) / wrap);
