// SPDX-License-Identifier: Apache-2.0
// Writes subtitles in fragmented MP4 (ISO/IEC 14496-30 §6, CMAF). Samples follow each other without gaps. Each lists all
// cues that are displayed during it, or is marked as empty.
import { writeBox } from '../mp4/boxes.ts';
import { writeFragment } from '../mp4/writeFragment.ts';
import { writeTextInit } from '../mp4/writeTextInit.ts';
import type { Cue } from './cue.ts';

const encoder = new TextEncoder();
const leaf = (type: string, text: string): Uint8Array => writeBox(type, encoder.encode(text));

/** The initialization section: the header of a WebVTT file without any blocks. */
export const writeWvttInit = (timescale: number): Uint8Array => {
  const config = leaf('vttC', 'WEBVTT');
  return writeTextInit(timescale, writeBox('wvtt', new Uint8Array([0, 0, 0, 0, 0, 0, 0, 1]), config));
};

const writeCue = ({ id, settings, text }: Cue): Uint8Array =>
  writeBox(
    'vttc',
    ...(id === undefined ? [] : [leaf('iden', id)]),
    ...(settings === undefined ? [] : [leaf('sttg', settings)]),
    leaf('payl', text),
  );

/**
 * @param cues in milliseconds, cut to the segment
 * @param zero the media time of cue time 0, in ticks
 * @param from the start of the segment, and `to` its end, in ticks
 */
export function writeWvttSegment(
  sequence: number,
  cues: readonly Cue[],
  timescale: number,
  zero: number,
  from: number,
  to: number,
): Uint8Array {
  const ticks = (milliseconds: number): number =>
    Math.min(to, Math.max(from, zero + Math.round((milliseconds * timescale) / 1000)));
  const laid = cues.map((cue) => ({ cue, start: ticks(cue.start), end: ticks(cue.end) }));
  const borders = [...new Set([from, to, ...laid.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const samples = borders.slice(0, -1).map((start, index) => {
    const shown = laid.filter((each) => each.start <= start && each.end > start);
    const boxes = shown.length === 0 ? [writeBox('vtte')] : shown.map(({ cue }) => writeCue(cue));
    return { duration: borders[index + 1]! - start, bytes: boxes };
  });
  const data = writeBox('mdat', ...samples.flatMap(({ bytes }) => bytes)).subarray(8);
  const sizes = samples.map(({ bytes }) => bytes.reduce((sum, { length }) => sum + length, 0));
  const durations = samples.map(({ duration }) => duration);
  const [sampleDuration] = durations;
  return writeFragment(sequence, [
    { trackId: 1, decodeTime: from, sampleDuration: sampleDuration!, durations, kind: 'audio', sizes, data },
  ]);
}
