// SPDX-License-Identifier: Apache-2.0
// Serves the subtitles of content. They are not stored: when a viewer requests a segment, the source segments that overlap
// it are read and kept in memory for other viewers. While a source fails, its segments have no cues; playback continues.
// This folder reads and serves text; where it is listed is left to `timeline` and the manifests.
import { LRUCache } from 'lru-cache';
import type { AssetStore } from '../../channels/ports.ts';
import { type Cue, type Cues, cutCues, type TextInterval } from '../../subtitles/cue.ts';
import { writeWvttInit, writeWvttSegment } from '../../subtitles/mp4Text.ts';
import { writeWebvtt } from '../../subtitles/webvtt.ts';
import { type Timers, within } from '../../time/clock.ts';
import { MPEG_TIMESCALE } from '../../time/mpegClock.ts';
import { numberAt } from '../../time/row.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { EMPTY_TEXT, textGrid } from '../../timeline/ladder/servedText.ts';
import type { Origin } from '../ports.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import { createTaskQueue } from '../taskQueue.ts';
import { createTextReader, readTextSegment, type TextPart } from './readTextSegment.ts';

type TextSourceDeps = {
  readonly assets: Pick<AssetStore, 'find'>;
  readonly origin: Origin;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Milliseconds after which a segment is returned without the cues that have not arrived. Default: 4000. */
  readonly timeoutMs?: number;
};

const KEY = /^[0-9a-f]{32}$/;
const TEXT = /^(?:\d{1,4}|e)$/;
/** Whether the third part of a path is the number of a text rendition, or `e` for empty text. */
export const isTextName = (name: string): boolean => TEXT.test(name);

const CONCURRENT_READS = 16;
const MAX_WAITING = 500;
/** Source segments that one segment of Midroll's is assembled from, at most. */
const MAX_PIECES = 32;
const CACHED_CHARACTERS = 32 * 2 ** 20;
/** Milliseconds after a failed read in which it is not retried. */
const FAILURE_TTL_MS = 5000;

type Piece = Cues & { readonly hasFailed?: boolean };

export function createTextSource({ assets, origin, timers, log, timeoutMs = 4000 }: TextSourceDeps) {
  const queue = createTaskQueue(CONCURRENT_READS);
  // Each reader keeps the keys and initialization sections that it has read.
  const readers = new LRUCache<string, MediaReader>({ max: 500, ttl: 3_600_000 });
  const pieces = new LRUCache<string, Piece>({ maxSize: CACHED_CHARACTERS, sizeCalculation: sizeOf });
  const pending = new Map<string, Promise<Piece>>();

  const readerOf = (name: string): MediaReader => {
    const reader = readers.get(name) ?? createTextReader(origin);
    readers.set(name, reader);
    return reader;
  };

  async function readPiece(name: string, text: TextPart, index: number): Promise<Piece> {
    const read =
      queue.waiting() >= MAX_WAITING
        ? { refused: `${MAX_WAITING} other reads are waiting` }
        : await queue.run(() => readTextSegment(readerOf(name), text, index), false);
    if (!('refused' in read)) return read;
    readers.delete(name);
    log('subtitles could not be read', { text: name, segment: index, reason: read.refused });
    return { ...NO_CUES, hasFailed: true };
  }

  function pieceOf(name: string, text: TextPart, index: number): Promise<Piece> | Piece {
    const key = `${name}/${index}`;
    const known = pieces.get(key) ?? pending.get(key);
    if (known !== undefined) return known;
    const reading = readPiece(name, text, index)
      .then((piece) => {
        pieces.set(key, piece, piece.hasFailed ? { ttl: FAILURE_TTL_MS } : {});
        return piece;
      })
      .finally(() => pending.delete(key));
    pending.set(key, reading);
    return reading;
  }

  /** The cues of all pieces that overlap an interval, and whether one of them is missing. */
  async function cuesOf(name: string, text: TextPart, interval: TextInterval): Promise<Piece> {
    const read = await Promise.all(
      piecesIn(text, interval).map((index) => inTime(timers, pieceOf(name, text, index), timeoutMs)),
    );
    const hasFailed = read.some((piece) => piece.hasFailed);
    return {
      cues: withoutRepeats(read.flatMap(({ cues }) => cuesIn(cues, interval))),
      blocks: [...new Set(read.flatMap(({ blocks }) => blocks))],
      ...(hasFailed ? { hasFailed } : {}),
    };
  }

  return {
    /** The segment at `/m/<key>/<part>/<text>/<name>`, which are validated here; undefined if it does not exist. */
    async openSegment(key: string, part: number, text: string, name: string): Promise<TextSegment | undefined> {
      const segment = readTextName(name);
      if (!KEY.test(key) || !isTextName(text) || segment === undefined) return undefined;
      const asset = await assets.find(key);
      const place = asset?.parts[part];
      const source = text === EMPTY_TEXT ? undefined : asset?.renditions[Number(text)];
      if (asset === undefined || place === undefined) return undefined;
      if (text !== EMPTY_TEXT && source?.kind !== 'text') return undefined;
      if (segment === 'init') return textInit(textGrid(asset).timescale);
      const interval = intervalOf(asset, part, segment.index);
      if (interval === undefined) return undefined;
      const track = source?.tracks[part];
      if (source === undefined || track === undefined) return writeTextSegment(segment, NO_CUES, interval);
      const textPart = { rendition: source, track, part: place };
      const { hasFailed, ...cues } = await cuesOf(`${key}/${part}/${text}`, textPart, interval);
      return { ...writeTextSegment(segment, cues, interval), ...(hasFailed ? { isIncomplete: true } : {}) };
    },
  };
}

const sizeOf = ({ cues, blocks }: Piece): number =>
  cues.reduce((sum, { text }) => sum + text.length + 100, 100) + blocks.reduce((sum, block) => sum + block.length, 0);

/** A read that times out counts as failed. When it completes, its cues are kept for other viewers. */
function inTime(timers: Timers, reading: Promise<Piece> | Piece, timeoutMs: number): Promise<Piece> | Piece {
  if (!(reading instanceof Promise)) return reading;
  return within(timers, timeoutMs, reading).then((piece) => piece ?? { ...NO_CUES, hasFailed: true });
}

/** The media time of segment `index` of a part. @returns undefined if the part has no such segment */
function intervalOf(asset: Asset, part: number, index: number): TextInterval | undefined {
  const { timescale, tracks } = textGrid(asset);
  const [place, borders] = [asset.parts[part], tracks[part]?.borders];
  if (place === undefined || borders === undefined || index + 1 >= borders.length) return undefined;
  const zero = Math.round((place.zero * timescale) / FLICKS_PER_SECOND);
  // Media may start before media time 0, which fragments and MPDs cannot state.
  return { timescale, zero, from: Math.max(0, numberAt(borders, index)), to: numberAt(borders, index + 1) };
}

/**
 * The source segments that overlap an interval, and the one before them: a cue must be in every segment during which it is
 * displayed (RFC 8216 §3.5), but some packagers write it only in the first.
 */
function piecesIn({ rendition, track: { borders } }: TextPart, { timescale, from, to }: TextInterval): number[] {
  const [start, end] = [(from * rendition.timescale) / timescale, (to * rendition.timescale) / timescale];
  const found: number[] = [];
  for (let index = 0; index + 1 < borders.length && numberAt(borders, index) < end; index += 1) {
    if (numberAt(borders, index + 1) > start || numberAt(borders, index + 2) > start) found.push(index);
  }
  // The last segment of the source may contain cues beyond its end.
  return found.length > 0 ? found.slice(-MAX_PIECES) : borders.length > 1 ? [borders.length - 2] : [];
}

/** The cues displayed in an interval. A source segment may contain the cues of the whole asset. */
function cuesIn(cues: readonly Cue[], { timescale, zero, from, to }: TextInterval): Cue[] {
  const [start, end] = [((from - zero) * 1000) / timescale, ((to - zero) * 1000) / timescale];
  return cues.filter((cue) => cue.end > start && cue.start < end);
}

/** Several segments may contain the same cue. */
const withoutRepeats = (cues: readonly Cue[]): Cue[] => [
  ...new Map(cues.map((cue) => [JSON.stringify([cue.start, cue.end, cue.text, cue.settings]), cue])).values(),
];

// Subtitle segments as viewers receive them: WebVTT for HLS, and for DASH the same in fragmented MP4 with an initialization
// section.

export type TextSegment = {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Set if cues are missing because of a transient failure of the source, so that it must not be cached. */
  readonly isIncomplete?: boolean;
};

export const NO_CUES: Cues = { cues: [], blocks: [] };

const VTT = 'text/vtt; charset=utf-8';
const MP4 = 'application/mp4';
const NAME = /^(?:(0|[1-9]\d{0,6})\.(vtt|m4s)|init\.mp4)$/;

type TextName = { readonly index: number; readonly ending: 'vtt' | 'm4s' } | 'init';

/** @returns undefined if it is not the name of a text segment or of the initialization section */
export function readTextName(name: string): TextName | undefined {
  const [matched, index, ending] = NAME.exec(name) ?? [];
  if (matched === undefined) return undefined;
  return index === undefined ? 'init' : { index: Number(index), ending: ending as 'vtt' | 'm4s' };
}

export const textInit = (timescale: number): TextSegment => ({ bytes: writeWvttInit(timescale), contentType: MP4 });

/** @param cues in milliseconds after the start of the part; they are cut to the segment, and those outside are omitted */
export function writeTextSegment(
  { index, ending }: Exclude<TextName, 'init'>,
  { cues, blocks }: Cues,
  interval: TextInterval,
): TextSegment {
  const { timescale, zero, from, to } = interval;
  const milliseconds = (ticks: number): number => Math.round(((ticks - zero) * 1000) / timescale);
  const cut = cutCues(cues, milliseconds(from), milliseconds(to));
  if (ending === 'm4s') {
    return { bytes: writeWvttSegment(index + 1, cut, interval), contentType: MP4 };
  }
  const text = writeWebvtt({ cues: cut, blocks }, (zero * MPEG_TIMESCALE) / timescale);
  return { bytes: new TextEncoder().encode(text), contentType: VTT };
}
