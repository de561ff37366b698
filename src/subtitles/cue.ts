// SPDX-License-Identifier: Apache-2.0
// Subtitles as cues: text with the time at which it is displayed. This module reads and writes them (WebVTT, WebVTT in MP4,
// simple TTML) and cuts them into segments. Where subtitles come from and who watches them is left to its callers.
//
// Times are milliseconds, as in WebVTT. They are whole numbers if they were read from text.

export type Cue = {
  readonly start: number;
  /** After `start`. */
  readonly end: number;
  /** WebVTT cue text with its tags. Lines are separated by `\n`; none is empty. */
  readonly text: string;
  /** WebVTT cue settings, for example `line:0 align:start`. */
  readonly settings?: string;
  readonly id?: string;
};

export type Cues = {
  readonly cues: readonly Cue[];
  /** STYLE and REGION blocks of WebVTT, unchanged. */
  readonly blocks: readonly string[];
};

/** The media time of a segment, in ticks. */
export type TextInterval = {
  readonly timescale: number;
  /** The start of the part, from which cue times count. */
  readonly zero: number;
  readonly from: number;
  readonly to: number;
};

/** The cues between two times, cut at both: a cue that continues is repeated in the next segment, and ends at a break. */
export function cutCues(cues: readonly Cue[], from: number, to: number): Cue[] {
  const shown: Cue[] = [];
  for (const cue of cues) {
    const [start, end] = [Math.max(cue.start, from), Math.min(cue.end, to)];
    if (start < end) shown.push({ ...cue, start, end });
  }
  return shown.sort((a, b) => a.start - b.start || a.end - b.end);
}

export const shiftCues = (cues: readonly Cue[], by: number): Cue[] =>
  cues.map((cue) => ({ ...cue, start: cue.start + by, end: cue.end + by }));
