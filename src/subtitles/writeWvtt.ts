// SPDX-License-Identifier: Apache-2.0
// Writes subtitles in fragmented MP4 (ISO/IEC 14496-30 §6, CMAF). Samples follow each other without gaps. Each lists all
// cues that are displayed during it, or is marked as empty.
import { joinBytes, writeBox } from '../mp4/boxes.ts';
import { writeFragment } from '../mp4/writeFragment.ts';
import { writeTextInit } from '../mp4/writeTextInit.ts';
import type { Cue, TextInterval } from './cue.ts';

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

/** @param cues in milliseconds after `zero`, cut to the segment */
export function writeWvttSegment(
  sequence: number,
  cues: readonly Cue[],
  { timescale, zero, from, to }: TextInterval,
): Uint8Array {
  const ticks = (milliseconds: number): number =>
    Math.min(to, Math.max(from, zero + Math.round((milliseconds * timescale) / 1000)));
  const laid = cues.map((cue) => ({ cue, start: ticks(cue.start), end: ticks(cue.end) }));
  const borders = [...new Set([from, to, ...laid.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const samples: Uint8Array[] = [];
  const durations: number[] = [];
  let start = from;
  for (const end of borders.slice(1)) {
    const shown = laid.filter((each) => each.start < end && each.end >= end);
    samples.push(shown.length === 0 ? writeBox('vtte') : joinBytes(shown.map(({ cue }) => writeCue(cue))));
    durations.push(end - start);
    start = end;
  }
  const sizes = samples.map(({ length }) => length);
  const [sampleDuration = to - from] = durations;
  return writeFragment(sequence, [
    { trackId: 1, decodeTime: from, sampleDuration, durations, kind: 'audio', sizes, data: joinBytes(samples) },
  ]);
}
