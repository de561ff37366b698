// SPDX-License-Identifier: Apache-2.0
// Reads WebVTT in MP4 (ISO/IEC 14496-30 §6): each sample lists all cues that are displayed during it.
import { readBoxes } from '../mp4/boxes.ts';
import type { Sample } from '../mp4/readSamples.ts';
import type { Cue } from './cue.ts';

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

/** Without empty lines, which would end the cue when it is written as WebVTT. */
const cueText = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replaceAll('-->', '→')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .join('\n');
