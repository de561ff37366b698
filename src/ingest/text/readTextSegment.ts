// One segment of a source's text as cues that count from the start of their part, whatever it came in.
import { readInit } from '../../mp4/readInit.ts';
import { readSamples } from '../../mp4/readSamples.ts';
import type { Cue, Cues } from '../../subtitles/cue.ts';
import { shiftCues } from '../../subtitles/cue.ts';
import { readTtml } from '../../subtitles/readTtml.ts';
import { readWebvtt, type Webvtt } from '../../subtitles/readWebvtt.ts';
import { readWvtt } from '../../subtitles/readWvtt.ts';
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { CueTime, Part, Rendition, Track } from '../../timeline/asset.ts';
import type { Origin } from '../ports.ts';
import { createMediaReader, type MediaReader } from '../source/mediaReader.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';

/** What reading a segment needs to know of its place. */
export type TextPart = {
  readonly rendition: Pick<Rendition, 'container' | 'timescale' | 'cueTime'>;
  readonly track: Track;
  readonly part: Part;
};

/** Bytes and milliseconds for one segment: a whole film's text is rarely over one megabyte. */
const LIMITS = { maxBytes: 16 * 2 ** 20, timeoutMs: 5000 };

/** A reader for text alone, which must never hold up what is shown. */
export const createTextReader = (origin: Origin): MediaReader =>
  createMediaReader({ ...origin, read: (url, options) => origin.read(url, { ...options, ...LIMITS }) });

/** `mpegts` counts 33 bits of 90 kHz. */
const ROUND = 2 ** 33 / 90;

const nominal = ({ track, rendition }: TextPart): NominalTrack => ({
  ...(track.init && { init: track.init }),
  urls: track.urls,
  count: track.borders.length - 1,
  nominalBorders: track.borders,
  nominalTimescale: rendition.timescale,
  exact: true,
  ...(track.protection && { protection: track.protection }),
});

const zeroOf = ({ part }: TextPart): number => part.zero / FLICKS_PER_MILLI;

export async function readTextSegment(reader: MediaReader, text: TextPart, index: number): Promise<Cues | Refusal> {
  const track = nominal(text);
  const read = await reader.whole(track, index);
  if ('refused' in read) return read;
  if (text.rendition.container === 'vtt') return readVtt(read.bytes, text, index);
  const init = (await reader.init(track)) ?? read.bytes;
  return 'refused' in init ? init : readFragmented(init, read.bytes, zeroOf(text));
}

function readVtt(bytes: Uint8Array, text: TextPart, index: number): Cues | Refusal {
  const webvtt = parseWebvtt(bytes);
  if ('refused' in webvtt) return webvtt;
  return { cues: shiftCues(webvtt.cues, cueShift(webvtt, text, index)), blocks: webvtt.blocks };
}

export function parseWebvtt(bytes: Uint8Array): Webvtt | Refusal {
  const decoded = new TextDecoder().decode(bytes);
  // Nothing is what some packagers write where nothing is said.
  if (decoded.trim() === '') return { cues: [], blocks: [], odd: 0 };
  const webvtt = readWebvtt(decoded);
  if (webvtt !== undefined) return webvtt;
  return {
    code: 'NO_TEXT',
    refused: `WebVTT is wanted, its first line is ${JSON.stringify(decoded.slice(0, 40))}`,
  };
}

/** Milliseconds from a cue time as it is written to one that counts from the start of the part. */
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
  const start = (track.borders[index]! * 1000) / rendition.timescale;
  const mapped = map.mpegts / 90;
  return mapped + ROUND * Math.round((start - mapped) / ROUND) - map.local - zeroOf(text);
}

function readFragmented(init: Uint8Array, bytes: Uint8Array, zero: number): Cues | Refusal {
  const track = readInit(init)?.find(({ handler }) => handler === 'text' || handler === 'subt');
  if (track === undefined) return { refused: 'the initialisation section holds no text track' };
  const { timescale, defaultDuration, codec, editShift } = track;
  const samples = readSamples(bytes, defaultDuration);
  const shift = (editShift * 1000) / timescale - zero;
  if (codec.startsWith('wvtt')) return { cues: shiftCues(readWvtt(samples, timescale), shift), blocks: [] };
  if (!codec.startsWith('stpp')) return { refused: `text of the kinds wvtt and stpp can be read, this is ${codec}` };
  const cues: Cue[] = [];
  for (const sample of samples) {
    if (sample.bytes.length === 0) continue;
    const read = readTtml(new TextDecoder().decode(sample.bytes));
    if ('refused' in read) return read;
    cues.push(...shiftCues(read.cues, shift));
  }
  return { cues, blocks: [] };
}
