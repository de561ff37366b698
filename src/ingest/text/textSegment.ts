// SPDX-License-Identifier: Apache-2.0
// Subtitle segments as viewers receive them: WebVTT for HLS, and for DASH the same in fragmented MP4 with an initialization
// section.
import type { Cues } from '../../subtitles/cue.ts';
import { cutCues } from '../../subtitles/cue.ts';
import { writeWebvtt } from '../../subtitles/writeWebvtt.ts';
import { writeWvttInit, writeWvttSegment } from '../../subtitles/writeWvtt.ts';
import { MPEG_TIMESCALE } from '../../time/mpegClock.ts';

export type TextSegment = {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Set if cues are missing because of a transient failure of the source, so that it must not be cached. */
  readonly isIncomplete?: boolean;
};

export const NO_CUES: Cues = { cues: [], blocks: [] };

/** The media time of a segment, in ticks. */
export type TextInterval = {
  readonly timescale: number;
  /** The start of the part, from which cue times count. */
  readonly zero: number;
  readonly from: number;
  readonly to: number;
};

const VTT = 'text/vtt; charset=utf-8';
const MP4 = 'application/mp4';
const NAME = /^(?:(0|[1-9]\d{0,6})\.(vtt|m4s)|init\.mp4)$/;

export type TextName = { readonly index: number; readonly ending: 'vtt' | 'm4s' } | 'init';

/** @returns undefined if it is not the name of a text segment or of the initialization section */
export function readTextName(name: string): TextName | undefined {
  const [matched, index, ending] = NAME.exec(name) ?? [];
  if (matched === undefined) return undefined;
  return index === undefined ? 'init' : { index: Number(index), ending: ending as 'vtt' | 'm4s' };
}

export const textInit = (timescale: number): TextSegment => ({ bytes: writeWvttInit(timescale), contentType: MP4 });

/** @param cues in milliseconds after the start of the part; they are cut to the segment, and those outside are omitted */
export function writeTextSegment(
  { index, ending }: Exclude<TextName, 'init'>,
  { cues, blocks }: Cues,
  { timescale, zero, from, to }: TextInterval,
): TextSegment {
  const milliseconds = (ticks: number): number => Math.round(((ticks - zero) * 1000) / timescale);
  const cut = cutCues(cues, milliseconds(from), milliseconds(to));
  if (ending === 'm4s') {
    return { bytes: writeWvttSegment(index + 1, cut, timescale, zero, from, to), contentType: MP4 };
  }
  const text = writeWebvtt({ cues: cut, blocks }, (zero * MPEG_TIMESCALE) / timescale);
  return { bytes: new TextEncoder().encode(text), contentType: VTT };
}
