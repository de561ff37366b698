// SPDX-License-Identifier: Apache-2.0
// Reads one subtitle segment of a source, in any format, as cues whose times count from the start of their part.
import { defined } from '../../invariant.ts';
import { readInit } from '../../mp4/readInit.ts';
import { readSamples } from '../../mp4/readSamples.ts';
import { type Cue, type Cues, shiftCues } from '../../subtitles/cue.ts';
import { readWvtt } from '../../subtitles/mp4Text.ts';
import { readingTtml } from '../../subtitles/readTtml.ts';
import { readingWebvtt, type Webvtt } from '../../subtitles/webvtt.ts';
import { MPEG_TIMESCALE, unwrapTime } from '../../time/mpegClock.ts';
import { numberAt } from '../../time/row.ts';
import type { Sliced } from '../../time/sliced.ts';
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { Asset, CueTime, Part, Rendition, Track } from '../../timeline/asset/asset.ts';
import { decodingXml } from '../../xml/decodeXml.ts';
import type { Origin } from '../ports.ts';
import { inTurns } from '../source/inTurns.ts';
import { createMediaReader, type MediaReader } from '../source/mediaReader.ts';
import { asNominal, type NominalRendition, type Refusal } from '../source/presentation.ts';

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

function* parseWebvtt(bytes: Uint8Array): Sliced<Webvtt | Refusal> {
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
function cueShift(
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

// Checks the subtitles of an asset before it is used: whether they can be read, and what their cue times count from.
// X-TIMESTAMP-MAP is often missing or wrong. If most cues are outside of the segments that contain them, it is wrong.

/** Milliseconds by which a cue may be outside of its segment, because manifests round. */
const TOLERANCE_MS = 100;

/** @param nominal the renditions in the manifest, with the same ids */
export async function checkTexts(
  asset: Pick<Asset, 'renditions' | 'parts'>,
  nominal: readonly NominalRendition[],
  reader: MediaReader,
): Promise<Pick<Asset, 'renditions' | 'warnings'>> {
  const declared = new Map(nominal.map((each) => [each.id, each]));
  const warnings: string[] = [];
  const renditions = await Promise.all(
    asset.renditions.map(async (rendition) => {
      if (rendition.kind !== 'text') return rendition;
      const { where, tracks } = defined(declared.get(rendition.id), 'every rendition is in the manifest');
      const isDash = tracks[0]?.presentationTimeOffset !== undefined;
      const isUndivided = tracks.length === 1 && asset.parts.length > 1;
      const candidates: CueTime[] = [...(isDash ? [] : ['media' as const]), isUndivided ? 'asset' : 'part'];
      if (isDash) candidates.push('media');
      const checked = await checkText(rendition, asset.parts, candidates, reader);
      if (!('refused' in checked)) {
        if (checked.warning !== undefined) warnings.push(`${where}: ${checked.warning}`);
        return checked.rendition;
      }
      warnings.push(`${where} is left out: ${checked.refused}`);
      return undefined;
    }),
  );
  return { renditions: renditions.filter((rendition) => rendition !== undefined), warnings };
}

type CheckedText = { readonly rendition: Rendition; readonly warning?: string | undefined };

/** The first, a middle and the last segment. One is enough in fragmented MP4, which has media times. */
function samplesOf(rendition: Rendition, parts: Asset['parts']): { text: TextPart; index: number }[] {
  const all = parts.flatMap((part, at) => {
    const track = defined(rendition.tracks[at], 'all renditions of an asset have its parts');
    const text = { rendition, track, part };
    return Array.from({ length: track.borders.length - 1 }, (_, index) => ({ text, index }));
  });
  const places = rendition.container === 'vtt' ? [0, all.length >> 1, all.length - 1] : [0];
  return [...new Set(places)].flatMap((place) => all[place] ?? []);
}

async function checkText(
  rendition: Rendition,
  parts: Asset['parts'],
  candidates: readonly CueTime[],
  reader: MediaReader,
): Promise<CheckedText | Refusal> {
  const samples = samplesOf(rendition, parts);
  const [sample] = samples;
  if (sample === undefined) return { refused: 'it has no segments' };
  if (rendition.container !== 'vtt') {
    const read = await readTextSegment(reader, sample.text, sample.index);
    return 'refused' in read ? read : { rendition };
  }
  const counted = candidates.map((cueTime) => ({ cueTime, inside: 0 }));
  let malformed = 0;
  const refusals: Refusal[] = [];
  for (const { text, index } of samples) {
    const whole = await reader.whole(asNominal(text.track, rendition.timescale), index);
    const read = 'refused' in whole ? whole : await inTurns(whole.bytes.length, parseWebvtt(whole.bytes));
    if ('refused' in read) {
      refusals.push(read);
      continue;
    }
    malformed += read.malformed;
    for (const candidate of counted) {
      const shift = cueShift(read, text, index, candidate.cueTime);
      const [from, to] = windowOf(text, index);
      const [least, most] = [from - shift - TOLERANCE_MS, to - shift + TOLERANCE_MS];
      candidate.inside += read.cues.filter(({ start, end }) => end > least && start < most).length;
    }
  }
  const [refusal] = refusals;
  if (refusal !== undefined && refusals.length === samples.length) return refusal;
  const { cueTime } = counted.reduce((best, each) => (each.inside > best.inside ? each : best));
  const warning = warningOf(refusal, malformed, cueTime === candidates[0] ? undefined : cueTime);
  return { rendition: cueTime === 'media' ? rendition : { ...rendition, cueTime }, warning };
}

/** The start and end of a segment of the source, in milliseconds after the start of the part. */
function windowOf({ track: { borders }, rendition: { timescale }, part }: TextPart, index: number): [number, number] {
  const after = (ticks: number): number => (ticks * 1000) / timescale - part.zero / FLICKS_PER_MILLI;
  return [after(numberAt(borders, index)), after(numberAt(borders, index + 1))];
}

const zeros: Readonly<Record<CueTime, string>> = {
  media: 'media time',
  part: 'the start of its part',
  asset: 'the start of the asset',
};

function warningOf(refusal: Refusal | undefined, malformed: number, cueTime: CueTime | undefined): string | undefined {
  const warnings: string[] = [];
  if (refusal !== undefined) warnings.push(`segments that cannot be read show no text: ${refusal.refused}`);
  if (malformed > 0) warnings.push(`${malformed} malformed cues in the checked segments are not shown`);
  if (cueTime !== undefined)
    warnings.push(
      `its cues are outside of their segments unless their times count from ${zeros[cueTime]}, so Midroll counts them from there; correct X-TIMESTAMP-MAP`,
    );
  return warnings.length > 0 ? warnings.join('; ') : undefined;
}
