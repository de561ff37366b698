// A segment of text as it is sent: WebVTT for HLS, the same in fragmented MP4 for DASH, and the initialisation section of
// the latter.
import type { Cues } from '../../subtitles/cue.ts';
import { cutCues } from '../../subtitles/cue.ts';
import { writeWebvtt } from '../../subtitles/writeWebvtt.ts';
import { writeWvttInit, writeWvttSegment } from '../../subtitles/writeWvtt.ts';

export type TextSegment = {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Set when it may be better soon: the source did not answer. */
  readonly isPassing?: boolean;
};

export const NO_CUES: Cues = { cues: [], blocks: [] };

/** Where it lies on the media's time, in ticks. */
export type TextStretch = {
  readonly timescale: number;
  /** The start of the part, which cue times count from. */
  readonly zero: number;
  readonly from: number;
  readonly to: number;
};

const MPEG_TIMESCALE = 90_000;
const VTT = 'text/vtt; charset=utf-8';
const MP4 = 'application/mp4';
const NAME = /^(?:(0|[1-9]\d{0,6})\.(vtt|m4s)|init\.mp4)$/;

export type TextName = { readonly index: number; readonly ending: 'vtt' | 'm4s' } | 'init';

/** Undefined when it names none. */
export function readTextName(name: string): TextName | undefined {
  const [matched, index, ending] = NAME.exec(name) ?? [];
  if (matched === undefined) return undefined;
  return index === undefined ? 'init' : { index: Number(index), ending: ending as 'vtt' | 'm4s' };
}

export const textInit = (timescale: number): TextSegment => ({ bytes: writeWvttInit(timescale), contentType: MP4 });

/** @param cues in milliseconds after the part's start; those beyond the segment are left out, or cut */
export function writeTextSegment(
  { index, ending }: Exclude<TextName, 'init'>,
  { cues, blocks }: Cues,
  { timescale, zero, from, to }: TextStretch,
): TextSegment {
  const milliseconds = (ticks: number): number => Math.round(((ticks - zero) * 1000) / timescale);
  const cut = cutCues(cues, milliseconds(from), milliseconds(to));
  if (ending === 'm4s') {
    return { bytes: writeWvttSegment(index + 1, cut, timescale, zero, from, to), contentType: MP4 };
  }
  const text = writeWebvtt({ cues: cut, blocks }, (zero * MPEG_TIMESCALE) / timescale);
  return { bytes: new TextEncoder().encode(text), contentType: VTT };
}
