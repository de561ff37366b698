// SPDX-License-Identifier: Apache-2.0
// Reads one subtitle segment of a source, in any format, as cues whose times count from the start of their part.
import { readInit } from '../../mp4/readInit.ts';
import { readSamples } from '../../mp4/readSamples.ts';
import type { Cue, Cues } from '../../subtitles/cue.ts';
import { shiftCues } from '../../subtitles/cue.ts';
import { readWvtt } from '../../subtitles/mp4Text.ts';
import { readingTtml } from '../../subtitles/readTtml.ts';
import { readingWebvtt, type Webvtt } from '../../subtitles/webvtt.ts';
import { MPEG_TIMESCALE, unwrapTime } from '../../time/mpegClock.ts';
import { numberAt } from '../../time/row.ts';
import type { Sliced } from '../../time/sliced.ts';
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { CueTime, Part, Rendition, Track } from '../../timeline/asset/asset.ts';
import { decodingXml } from '../../xml/decodeXml.ts';
import type { Origin } from '../ports.ts';
import { inTurns } from '../source/inTurns.ts';
import { createMediaReader, type MediaReader } from '../source/mediaReader.ts';
import { asNominal, type Refusal } from '../source/presentation.ts';

/** The track that a segment belongs to, and what its times refer to. */
export type TextPart = {
  readonly rendition: Pick<Rendition, 'container' | 'timescale' | 'cueTime'>;
  readonly track: Track;
  readonly part: Part;
};

/** For one segment. The text of a whole asset is rarely larger than one megabyte. */
const LIMITS = { maxBytes: 2 * 2 ** 20, timeoutMs: 5000 };

/** A reader with limits for subtitles, which must never delay playback. */
export const createTextReader = (origin: Origin): MediaReader =>
  createMediaReader({ ...origin, read: (url, options) => origin.read(url, { ...options, ...LIMITS }) });

const TICKS_PER_MILLI = MPEG_TIMESCALE / 1000;

/** Milliseconds. */
const zeroOf = ({ part }: TextPart): number => part.zero / FLICKS_PER_MILLI;

export async function readTextSegment(reader: MediaReader, text: TextPart, index: number): Promise<Cues | Refusal> {
  const track = asNominal(text.track, text.rendition.timescale);
  const read = await reader.whole(track, index);
  if ('refused' in read) return read;
  const { length } = read.bytes;
  if (text.rendition.container === 'vtt') return inTurns(length, readVtt(read.bytes, text, index));
  const init = (await reader.init(track)) ?? read.bytes;
  return 'refused' in init ? init : inTurns(length, readFragmented(init, read.bytes, zeroOf(text)));
}

function* readVtt(bytes: Uint8Array, text: TextPart, index: number): Sliced<Cues | Refusal> {
  const webvtt = yield* parseWebvtt(bytes);
  if ('refused' in webvtt) return webvtt;
  return { cues: shiftCues(webvtt.cues, cueShift(webvtt, text, index)), blocks: webvtt.blocks };
}

export function* parseWebvtt(bytes: Uint8Array): Sliced<Webvtt | Refusal> {
  const decoded = new TextDecoder().decode(bytes);
  // Some packagers write an empty file for a segment without cues.
  if (decoded.trim() === '') return { cues: [], blocks: [], malformed: 0 };
  const webvtt = yield* readingWebvtt(decoded);
  if (webvtt !== undefined) return webvtt;
  return {
    code: 'NO_TEXT',
    refused: `its subtitles must be WebVTT, with the first line "WEBVTT"; got ${JSON.stringify(decoded.slice(0, 40))}`,
  };
}

/** The milliseconds to add to a cue time in the file so that it counts from the start of the part. */
export function cueShift(
  { map }: Pick<Webvtt, 'map'>,
  text: TextPart,
  index: number,
  cueTime: CueTime = text.rendition.cueTime ?? 'media',
): number {
  if (cueTime === 'part') return 0;
  if (cueTime === 'asset') return -text.part.start / FLICKS_PER_MILLI;
  if (map === undefined) return -zeroOf(text);
  const { track, rendition } = text;
  const start = (numberAt(track.borders, index) * MPEG_TIMESCALE) / rendition.timescale;
  return unwrapTime(map.mpegts, start) / TICKS_PER_MILLI - map.local - zeroOf(text);
}

function* readFragmented(init: Uint8Array, bytes: Uint8Array, zero: number): Sliced<Cues | Refusal> {
  const track = readInit(init)?.find(({ handler }) => handler === 'text' || handler === 'subt');
  if (track === undefined) return { refused: 'its initialization section must contain a text track' };
  const { timescale, defaultDuration, codec, editShift } = track;
  const samples = readSamples(bytes, defaultDuration);
  const shift = (editShift * 1000) / timescale - zero;
  if (codec.startsWith('wvtt')) return { cues: shiftCues(readWvtt(samples, timescale), shift), blocks: [] };
  if (!codec.startsWith('stpp')) return { refused: `its subtitles must be wvtt or stpp; got ${codec}` };
  const cues: Cue[] = [];
  for (const sample of samples) {
    yield;
    if (sample.bytes.length === 0) continue;
    const read = yield* readingTtml(yield* decodingXml(sample.bytes));
    if ('refused' in read) return read;
    cues.push(...shiftCues(read.cues, shift));
  }
  return { cues, blocks: [] };
}
