// SPDX-License-Identifier: Apache-2.0
// Reads and writes subtitles in fragmented MP4 (ISO/IEC 14496-30, CMAF). Samples follow each other without gaps. Each lists all
// cues that are displayed during it, or is marked as empty.
import { joinBytes, readBoxes, writeBox } from '../mp4/boxes.ts';
import type { Sample } from '../mp4/readSamples.ts';
import { writeFragment } from '../mp4/writeFragment.ts';
import { writeTextInit } from '../mp4/writeInit.ts';
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

// Reads WebVTT in MP4 (ISO/IEC 14496-30 §6): each sample lists all cues that are displayed during it.

type Shown = Pick<Cue, 'text' | 'settings' | 'id'>;
type GrowingCue = Omit<Cue, 'end'> & { end: number };

/** @param timescale of the samples' times */
export function readWvtt(samples: readonly Sample[], timescale: number): Cue[] {
  const cues: Cue[] = [];
  const milliseconds = (ticks: number): number => Math.round((ticks * 1000) / timescale);
  /** The cues displayed at the end of the previous sample. */
  let open = new Map<string, GrowingCue>();
  for (const { time, duration, bytes } of samples) {
    const [start, end] = [milliseconds(time), milliseconds(time + duration)];
    const still = new Map<string, GrowingCue>();
    for (const shown of readShown(bytes)) {
      const key = JSON.stringify([shown.text, shown.settings, shown.id]);
      const before = open.get(key);
      if (before?.end === start) {
        before.end = end;
        still.set(key, before);
      } else if (end > start) {
        const cue = { ...shown, start, end };
        cues.push(cue);
        still.set(key, cue);
      }
    }
    open = still;
  }
  return cues;
}

function readShown(sample: Uint8Array): Shown[] {
  const shown: Shown[] = [];
  for (const cue of readBoxes(sample)) {
    if (cue.type !== 'vttc' || cue.end > sample.length) continue;
    const inside = (name: string): string => {
      const box = readBoxes(sample, cue.body, cue.end).find(({ type }) => type === name);
      return box === undefined || box.end > cue.end ? '' : decodeUtf8(sample.subarray(box.body, box.end));
    };
    const [text, settings, id] = [cueText(inside('payl')), inside('sttg').trim(), inside('iden').trim()];
    if (text !== '') shown.push({ text, ...(settings ? { settings } : {}), ...(id ? { id } : {}) });
  }
  return shown;
}

const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The text of a cue without empty lines, which would end the cue when it is written as WebVTT. */
const cueText = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replaceAll('-->', '→')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .join('\n');

// Writes empty TTML documents in fragmented MP4 (ISO/IEC 14496-30 §5, IMSC 1.1 text profile), for ads and slate on channels
// whose subtitles are TTML.

const NAMESPACE = 'http://www.w3.org/ns/ttml';
const EMPTY = encoder.encode(
  `<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="${NAMESPACE}" xmlns:ttp="${NAMESPACE}#parameter" ` +
    `ttp:profile="${NAMESPACE}/profile/imsc1/text" xml:lang=""><body/></tt>\n`,
);

/** The initialization section. The sample entry has a namespace and no schema and no pictures (ISO/IEC 14496-12 §12.6.3.2). */
export const writeStppInit = (timescale: number): Uint8Array => {
  const strings = encoder.encode(`${NAMESPACE}\0\0\0`);
  return writeTextInit(timescale, writeBox('stpp', new Uint8Array([0, 0, 0, 0, 0, 0, 0, 1]), strings), 'subt');
};

/** One empty document from `from` to `to`, in ticks. */
export const writeStppSegment = (sequence: number, from: number, to: number): Uint8Array => {
  const duration = to - from;
  const sizes = [EMPTY.length];
  return writeFragment(sequence, [
    { trackId: 1, decodeTime: from, sampleDuration: duration, kind: 'audio', sizes, data: EMPTY },
  ]);
};
