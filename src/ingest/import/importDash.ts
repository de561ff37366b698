// SPDX-License-Identifier: Apache-2.0
// Turns a static MPD into a presentation to be measured: Periods become parts, matching Representations become renditions.
// Reads the segment indexes of on-demand resources, but no media.
import type { Mpd, MpdPeriod, MpdRepresentation } from '../../dash/mpd.ts';
import { type Matched, matchRepresentations } from '../../dash/read/matchRepresentations.ts';
import { readingMpd } from '../../dash/read/readMpd.ts';
import { cutUrls, shownInPeriod } from '../../dash/read/readSegments.ts';
import { defined } from '../../invariant.ts';
import { type Box, readBoxes } from '../../mp4/boxes.ts';
import { readSidx, type Sidx } from '../../mp4/segmentBoxes.ts';
import { numberAt } from '../../time/row.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import { type ByteRange, hasAudio, hasVideo, type MediaRef, type RenditionKind } from '../../timeline/asset/asset.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { Origin } from '../ports.ts';
import { createDeadBases } from '../source/deadBases.ts';
import { explainEncryption } from '../source/decryptSegment.ts';
import { inTurns } from '../source/inTurns.ts';
import {
  declaredBy,
  type NominalRendition,
  type NominalTrack,
  notFetched,
  type Refusal,
} from '../source/presentation.ts';
import type { PresentationRead } from './assetMarkers.ts';

/** @param url of the text, after redirects; @returns a refusal names the line or the Representation */
export async function readDashPresentation(text: string, url: string, origin: Origin): Promise<PresentationRead> {
  const read = await readWithBases(text, url, origin);
  if ('refused' in read) return read;
  const { mpd, matches } = read;
  const allWarnings = [...read.warnings];
  const empty = mpd.periods.find(({ representations }) => representations.length === 0);
  if (empty) {
    const refused = `${empty.where} must have audio or video that Midroll can play; it has none`;
    return refuse({ code: 'NOTHING_PLAYABLE', refused }, allWarnings);
  }
  const declares = (has: (kind: RenditionKind) => boolean): boolean =>
    mpd.periods.some(({ representations }) => representations.some(({ kind }) => has(kind)));
  const isVideo = declares(hasVideo);
  const kinds = matches.flatMap(([one]) => one?.kind ?? []);
  if (!kinds.some((kind) => (isVideo ? hasVideo(kind) : kind === 'audio'))) {
    return refuse(notInAllPeriods(isVideo ? 'video' : 'audio', mpd.periods.length), allWarnings);
  }
  if (declares(hasAudio) && !kinds.some(hasAudio)) {
    return refuse(notInAllPeriods('audio', mpd.periods.length), allWarnings);
  }

  const index = indexReader(origin);
  const warn = (warning: string): void => void allWarnings.push(warning);
  const renditions = await Promise.all(
    matches.map(async (match, number) => {
      const tracks: NominalTrack[] = [];
      for (const [part, representation] of match.entries()) {
        const period = defined(mpd.periods[part], 'a match has a Representation of each Period');
        const track = await trackOf(representation, period, index, warn);
        if ('refused' in track) return { refusal: track, of: representation };
        tracks.push(track);
      }
      return renditionOf(defined(match[0], 'a match has a Representation'), number, tracks);
    }),
  );
  const kept: NominalRendition[] = [];
  const ids = new Set<string>();
  for (const rendition of renditions) {
    if (!('refusal' in rendition)) {
      const id = ids.has(rendition.id) ? `${rendition.id}-${kept.length + 1}` : rendition.id;
      ids.add(id);
      kept.push({ ...rendition, id });
    } else if (rendition.of.kind === 'text') allWarnings.push(`${rendition.refusal.refused}; it is left out`);
    else return refuse(rendition.refusal, allWarnings);
  }
  const periods = mpd.periods.map(({ events = [] }) => events);
  return { renditions: kept, warnings: allWarnings, markers: { kind: 'events', periods } };
}

type ReadMpd = Matched & { readonly mpd: Mpd };

/** Reads an MPD with the first BaseURLs that work. */
async function readWithBases(text: string, url: string, origin: Origin): Promise<ReadMpd | Refusal> {
  const dead = createDeadBases(origin);
  for (;;) {
    const mpd = await inTurns(text.length, readingMpd(text, url, dead.isDead));
    if ('refused' in mpd) return mpd;
    const { matches, warnings } = matchRepresentations(mpd.periods);
    const used = matches.flat().filter(({ kind }) => kind !== 'text');
    const found = await dead.check(used, ({ segments }) => firstRef(segments));
    if (found === 'again') continue;
    const all = [...mpd.warnings, ...warnings, ...dead.warnings(used)];
    const { hopeless } = found;
    const left = matches.filter((match) => !hopeless.some(({ one }) => match.includes(one)));
    const [first] = hopeless;
    const isEnough = hopeless.every(({ one }) => left.some(([other]) => other?.kind === one.kind));
    if (first !== undefined && !isEnough) return refuse({ code: 'NOT_FETCHED', refused: first.refused }, mpd.warnings);
    return { mpd, matches: left, warnings: [...all, ...hopeless.map(({ refused }) => `${refused}; it is left out`)] };
  }
}

const firstRef = (segments: MpdRepresentation['segments']): MediaRef | undefined =>
  segments.kind === 'indexed' ? { url: segments.url } : segments.count === 0 ? undefined : segmentUrl(segments, 0);

/** Adds the warnings, because what was left out before often explains the refusal. */
const refuse = (refusal: Refusal, warnings: readonly string[]): Refusal => ({
  ...refusal,
  refused: [refusal.refused, ...warnings.slice(0, 5)].join('; '),
});

const notInAllPeriods = (kind: 'video' | 'audio', periods: number): Refusal => ({
  code: 'NOT_IN_ALL_PERIODS',
  refused: `at least one ${kind} Representation must be in all ${periods} Periods; none is`,
});

type Indexed = MpdRepresentation['segments'] & { kind: 'indexed' };
type ReadIndex = (segments: Indexed) => Promise<SegmentIndex | Refusal>;

/** Reads each index once. Periods may show different ranges of the same resource. */
function indexReader(origin: Origin): ReadIndex {
  const known = new Map<string, Promise<SegmentIndex | Refusal>>();
  return (segments) => {
    const { url, indexRange, init } = segments;
    const key = JSON.stringify([url, indexRange, init]);
    const reading = known.get(key) ?? readDashIndex(origin, segments);
    known.set(key, reading);
    return reading;
  };
}

async function trackOf(
  { segments, protection, where }: MpdRepresentation,
  period: MpdPeriod,
  readIndex: ReadIndex,
  warn: (warning: string) => void,
): Promise<NominalTrack | Refusal> {
  const encryption = protection.length === 0 ? undefined : { dash: protection };
  if (segments.kind === 'listed') {
    const { kind: _kind, borders: nominalBorders, timescale: nominalTimescale, ...listed } = segments;
    return { ...listed, nominalBorders, nominalTimescale, exact: false, protection: encryption };
  }
  const index = await readIndex(segments);
  if ('refused' in index) {
    const refusal = explainEncryption(index, encryption);
    return { ...refusal, refused: `${where}: ${refusal.refused}` };
  }
  const { borders, timescale, starts, lengths, init } = index;
  const offset = Math.round((segments.presentationTimeOffset * timescale) / segments.timescale);
  const span = period.duration && (period.duration / FLICKS_PER_SECOND) * timescale;
  const cut = shownInPeriod(borders, { offset, span, timescale, edges: period }, (text) => warn(`${where}: ${text}`));
  return {
    init,
    urls: cutUrls({ kind: 'ranges', url: segments.url, starts, lengths }, cut),
    count: cut.end - cut.first,
    nominalBorders: borders.slice(cut.first, cut.end + 1),
    nominalTimescale: timescale,
    exact: true,
    presentationTimeOffset: offset,
    protection: encryption,
  };
}

function renditionOf(first: MpdRepresentation, number: number, tracks: readonly NominalTrack[]): NominalRendition {
  const { id, ...declared } = declaredBy(first);
  return { ...declared, id: id ?? `${first.kind}-${number + 1}`, tracks };
}

// Reads the segment index of an on-demand resource (ISO/IEC 14496-12 §8.16.3) in a few small byte ranges: at the position in the
// MPD or at the beginning of the file, with the indexes that it refers to.

const HEAD = 64 * 1024;
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const MAX_READS = 64;
const MAX_REFERENCES = 250_000;

type SegmentIndex = {
  readonly init: MediaRef;
  readonly timescale: number;
  /** One more than there are segments, as media times. */
  readonly borders: Float64Array;
  readonly starts: Float64Array;
  readonly lengths: Float64Array;
};

type Reading = { readonly url: string; readonly origin: Origin; reads: number };

async function readRange(reading: Reading, range: ByteRange): Promise<Uint8Array | Refusal> {
  reading.reads += 1;
  if (reading.reads > MAX_READS)
    return { refused: `the segment index of ${reading.url} needs over ${MAX_READS} reads` };
  const result = await reading.origin.read(reading.url, { range, maxBytes: range.length });
  if (result.ok) return result.bytes;
  const bytes = `bytes ${range.start} to ${range.start + range.length - 1}`;
  return { ...notFetched(result), refused: `${bytes} of ${reading.url}: ${result.reason}` };
}

type FoundSidx = { readonly sidx: Sidx; readonly start: number; readonly initEnd: number };

/** Finds the first complete `sidx` at or after an offset. Skips other boxes before it, but no media. */
async function findSidx(reading: Reading, from: number, span = HEAD): Promise<FoundSidx | Refusal> {
  let at = from;
  let initEnd = from;
  let length = span;
  for (;;) {
    const bytes = await readRange(reading, { start: at, length });
    if ('refused' in bytes) return bytes;
    const boxes = readBoxes(bytes);
    const found = boxes.find(({ type }) => type === 'sidx');
    const media = boxes.find(({ type }) => type === 'moof' || type === 'mdat');
    const before = found ?? media;
    const moov = boxes.findLast(({ type, start }) => type === 'moov' && (!before || start < before.start));
    if (moov) initEnd = at + moov.end;
    if (found && (!media || found.start < media.start)) {
      const sidx = readSidx(bytes, at);
      if (sidx) return { sidx, start: at + found.start, initEnd };
      const isWhole = found.end <= bytes.length;
      const atEnd = bytes.length < length;
      if (isWhole || atEnd || found.end - found.start > MAX_INDEX_BYTES) return noIndex(reading);
      at += found.start;
      length = found.end - found.start;
      continue;
    }
    const last: Box | undefined = boxes.at(-1);
    // A box header of up to 16 bytes may be cut off at the end of the range.
    const isBroken = !last || last.end + 16 <= bytes.length;
    if (media || isBroken || bytes.length < length) return noIndex(reading);
    at += last.end;
    length = HEAD;
  }
}

const noIndex = ({ url }: Reading): Refusal => ({
  code: 'NO_INDEX',
  refused: `${url} must have a segment index (sidx) before its media; none was found`,
});

type IndexedSegment = { readonly start: number; readonly length: number; readonly duration: number };

/** Appends the segments that an index and its inner indexes refer to. */
async function appendSegments(
  reading: Reading,
  sidx: Sidx,
  timescale: number,
  segments: IndexedSegment[],
): Promise<Refusal | undefined> {
  let offset = sidx.firstOffset;
  for (const { size, duration, isIndex } of sidx.references) {
    if (segments.length >= MAX_REFERENCES)
      return { refused: `the segment index of ${reading.url} must list at most ${MAX_REFERENCES} segments` };
    if (isIndex) {
      const inner = await findSidx(reading, offset);
      if ('refused' in inner) return inner;
      const failed = await appendSegments(reading, inner.sidx, timescale, segments);
      if (failed) return failed;
    } else if (size > 0 && duration > 0) {
      segments.push({ start: offset, length: size, duration: (duration * timescale) / sidx.timescale });
    }
    offset += size;
  }
  return undefined;
}

/** Searched for from the first byte on if the MPD does not state its range; `init` is then what is before it. */
async function readDashIndex(origin: Origin, { url, indexRange, init }: Indexed): Promise<SegmentIndex | Refusal> {
  const reading: Reading = { url, origin, reads: 0 };
  const found = await findSidx(reading, indexRange?.start ?? 0, indexRange?.length);
  if ('refused' in found) return found;
  const segments: IndexedSegment[] = [];
  const failed = await appendSegments(reading, found.sidx, found.sidx.timescale, segments);
  if (failed) return failed;
  if (segments.length === 0) return { refused: `the segment index of ${url} must list at least one segment` };
  const borders = new Float64Array(segments.length + 1);
  borders[0] = found.sidx.earliest;
  for (const [index, { duration }] of segments.entries()) borders[index + 1] = numberAt(borders, index) + duration;
  const initLength = indexRange?.start || found.initEnd;
  if (!init && initLength === 0)
    return { refused: `${url} must have its moov box before its segment index (sidx), or name an Initialization` };
  return {
    init: init ?? { url, range: { start: 0, length: initLength } },
    timescale: found.sidx.timescale,
    borders,
    starts: Float64Array.from(segments, ({ start }) => start),
    lengths: Float64Array.from(segments, ({ length }) => length),
  };
}
