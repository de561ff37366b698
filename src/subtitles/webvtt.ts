// SPDX-License-Identifier: Apache-2.0
// Reads and writes WebVTT (W3C WebVTT §4, §6.2). Reading is lenient: a malformed cue is omitted, and the rest is kept.

import { lastOf, type NonEmpty } from '../invariant.ts';
import { wrapMpegTime } from '../time/mpegClock.ts';
import { finish, type Sliced } from '../time/sliced.ts';
import { clockText } from '../time/units.ts';
import type { Cue, Cues } from './cue.ts';

export type Webvtt = Cues & {
  /**
   * X-TIMESTAMP-MAP (RFC 8216 §3.5): cue time `local` (milliseconds) is media time `mpegts` (90 kHz, 33 bits). Some packagers keep
   * the cue times of a longer programme and write a negative media time for their zero.
   */
  readonly map?: { readonly local: number; readonly mpegts: number };
  /** The number of blocks that could not be read. */
  readonly malformed: number;
};

const MAX_CUES = 100_000;
const MAX_BLOCKS = 50;
const LINES_IN_SLICE = 2000;
const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`;
const TIMING = new RegExp(String.raw`^${TIME}\s*-->\s*${TIME}(?:\s+(.*))?$`);
const LOCAL = new RegExp(String.raw`LOCAL:\s*(-?)${TIME}`);

/** Reads at most 500 characters: no timing line is longer. */
const readTiming = (line: string): RegExpExecArray | null => TIMING.exec(line.slice(0, 500).trim());

const millisecondsOf = ([hours = '0', minutes = '0', seconds = '0', rest = '0']: (string | undefined)[]): number =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest.padEnd(3, '0'));

/** @returns undefined unless the first line identifies the text as WebVTT (§4.1) */
export const readWebvtt = (text: string): Webvtt | undefined => finish(readingWebvtt(text));

export function* readingWebvtt(text: string): Sliced<Webvtt | undefined> {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
    .split(/\r\n|\n|\r/);
  yield;
  const lineAt = (index: number): string => lines[index] ?? '';
  if (!/^WEBVTT(?:[ \t]|$)/.test(lineAt(0))) return undefined;
  const cues: Cue[] = [];
  const blocks: string[] = [];
  let at = 1;
  let map: Webvtt['map'];
  for (; lineAt(at) !== '' && !lineAt(at).includes('-->'); at += 1) map ??= readMap(lineAt(at));
  let malformed = 0;
  let from = at;
  while (at < lines.length && cues.length < MAX_CUES) {
    if (at - from > LINES_IN_SLICE) {
      from = at;
      yield;
    }
    if (lineAt(at).trim() === '') {
      at += 1;
      continue;
    }
    const block = blockAt(lines, at);
    at += block.length;
    const cue = readCue(block);
    // Some packagers write it after an empty line.
    const late = block.length === 1 ? readMap(block[0]) : undefined;
    map ??= late;
    if (cue !== undefined) cues.push(cue);
    else if (late !== undefined) continue;
    else if (/^(STYLE|REGION)[ \t]*$/.test(block[0])) {
      if (blocks.length < MAX_BLOCKS) blocks.push(block.join('\n'));
    } else if (!isEmpty(block)) malformed += 1;
  }
  return { cues, blocks, malformed, ...(map === undefined ? {} : { map }) };
}

/** The lines up to the next empty line or the next timing line of another cue. */
function blockAt(lines: readonly string[], first: number): NonEmpty<string> {
  const timed = (index: number): boolean => lines[index]?.includes('-->') ?? false;
  let end = first + 1;
  if (!timed(first) && timed(end)) end += 1;
  while (end < lines.length && lines[end] !== '' && !timed(end)) end += 1;
  return [lines[first] ?? '', ...lines.slice(first + 1, end)];
}

/** Comments and cues without text. */
const isEmpty = (block: NonEmpty<string>): boolean =>
  /^NOTE(?:[ \t]|$)/.test(block[0]) || (block.length <= 2 && readTiming(lastOf(block)) !== null);

function readCue(block: NonEmpty<string>): Cue | undefined {
  const place = block[0].includes('-->') ? 0 : 1;
  const timing = readTiming(block[place] ?? '');
  const text = block
    .slice(place + 1)
    .filter((line) => line.trim() !== '')
    .join('\n');
  if (timing === null || text === '') return undefined;
  const [start, end] = [millisecondsOf(timing.slice(1, 5)), millisecondsOf(timing.slice(5, 9))];
  if (end <= start) return undefined;
  const settings = timing[9];
  const id = place === 1 ? block[0] : undefined;
  return { start, end, text, ...(settings ? { settings } : {}), ...(id ? { id } : {}) };
}

function readMap(line: string): Webvtt['map'] {
  if (!line.startsWith('X-TIMESTAMP-MAP')) return undefined;
  const mpegts = /MPEGTS:\s*(-?\d{1,15})/.exec(line);
  const local = LOCAL.exec(line.slice(0, 500));
  if (mpegts === null || local === null) return undefined;
  return { local: millisecondsOf(local.slice(2, 6)) * (local[1] === '-' ? -1 : 1), mpegts: Number(mpegts[1]) };
}

/** Writes a subtitle segment for HLS (RFC 8216 §3.5). @param zero the media time of cue time 0, in ticks of 90 kHz */
export function writeWebvtt({ cues, blocks }: Cues, zero: number): string {
  const mpegts = wrapMpegTime(Math.round(zero));
  const head = `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${mpegts},LOCAL:00:00:00.000\n`;
  const written = cues.map(({ start, end, text, settings, id }) => {
    const timing = `${clockText(start)} --> ${clockText(end)}${settings ? ` ${settings}` : ''}`;
    return `${id ? `${id}\n` : ''}${timing}\n${text}\n`;
  });
  return [head, ...(cues.length > 0 ? blocks.map((block) => `${block}\n`) : []), ...written].join('\n');
}
