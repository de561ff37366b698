// The text of content as its viewers are sent it. Nothing of it is stored: when a segment is asked for, the source's own
// segments that it takes are read, and kept in memory for the next who asks. A source that fails shows no text for as long
// as it does, and never costs a viewer the picture.
import { LRUCache } from 'lru-cache';
import type { AssetStore } from '../../channels/ports.ts';
import type { Cue, Cues } from '../../subtitles/cue.ts';
import { type Timers, within } from '../../time/clock.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset.ts';
import { NO_TEXT, textGrid } from '../../timeline/servedText.ts';
import type { Origin } from '../ports.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import { createTaskQueue } from '../taskQueue.ts';
import { createTextReader, readTextSegment, type TextPart } from './readTextSegment.ts';
import {
  NO_CUES,
  readTextName,
  type TextSegment,
  type TextStretch,
  textInit,
  writeTextSegment,
} from './textSegment.ts';

export type TextSource = {
  /**
   * What `/m/<asset's key>/<part>/<text>/<name>` names; everything is checked here, nothing is trusted.
   * @returns undefined for what does not exist
   */
  openSegment(key: string, part: number, text: string, name: string): Promise<TextSegment | undefined>;
};

export type TextSourceDeps = {
  readonly assets: Pick<AssetStore, 'find'>;
  readonly origin: Origin;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Milliseconds after which a viewer is answered, without what has not come yet; 4000 unless told. */
  readonly patience?: number;
};

const KEY = /^[0-9a-f]{32}$/;
const TEXT = /^(?:\d{1,4}|e)$/;
/** Whether the third part of a path names text of content. */
export const isTextName = (name: string): boolean => TEXT.test(name);

const READS_AT_ONCE = 16;
const MOST_WAITING = 500;
/** Segments of the source that one of ours is made of, at most. */
const MOST_PIECES = 32;
const KEPT_CHARACTERS = 32 * 2 ** 20;
/** Milliseconds for which a source that failed is left alone. */
const FAILURE_KEPT = 5000;

type Piece = Cues & { readonly hasFailed?: boolean };

export function createTextSource({ assets, origin, timers, log, patience = 4000 }: TextSourceDeps): TextSource {
  const queue = createTaskQueue(READS_AT_ONCE);
  // Each keeps the keys and initialisation sections that it has read.
  const readers = new LRUCache<string, MediaReader>({ max: 500, ttl: 3_600_000 });
  const pieces = new LRUCache<string, Piece>({ maxSize: KEPT_CHARACTERS, sizeCalculation: sizeOf });
  const underWay = new Map<string, Promise<Piece>>();

  const readerOf = (name: string): MediaReader => {
    const reader = readers.get(name) ?? createTextReader(origin);
    readers.set(name, reader);
    return reader;
  };

  async function readPiece(name: string, text: TextPart, index: number): Promise<Piece> {
    const read =
      queue.waiting() >= MOST_WAITING
        ? { refused: `${MOST_WAITING} others wait to be read` }
        : await queue.run(() => readTextSegment(readerOf(name), text, index), false);
    if (!('refused' in read)) return read;
    readers.delete(name);
    log('text could not be read', { text: name, segment: index, reason: read.refused });
    return { ...NO_CUES, hasFailed: true };
  }

  function pieceOf(name: string, text: TextPart, index: number): Promise<Piece> | Piece {
    const key = `${name}/${index}`;
    const known = pieces.get(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const reading = readPiece(name, text, index)
      .then((piece) => {
        pieces.set(key, piece, piece.hasFailed ? { ttl: FAILURE_KEPT } : {});
        return piece;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  }

  /** The cues of all pieces that a stretch takes, and whether one of them could not be had. */
  async function cuesOf(name: string, text: TextPart, stretch: TextStretch): Promise<Piece> {
    const read = await Promise.all(
      piecesIn(text, stretch).map((index) => soon(timers, pieceOf(name, text, index), patience)),
    );
    const hasFailed = read.some((piece) => piece.hasFailed);
    return {
      cues: eachOnce(read.flatMap(({ cues }) => cuesIn(cues, stretch))),
      blocks: [...new Set(read.flatMap(({ blocks }) => blocks))],
      ...(hasFailed ? { hasFailed } : {}),
    };
  }

  return {
    async openSegment(key, part, text, name) {
      const asked = readTextName(name);
      if (!KEY.test(key) || !isTextName(text) || asked === undefined) return undefined;
      const asset = await assets.find(key);
      const place = asset?.parts[part];
      const source = text === NO_TEXT ? undefined : asset?.renditions[Number(text)];
      if (asset === undefined || place === undefined) return undefined;
      if (text !== NO_TEXT && source?.kind !== 'text') return undefined;
      if (asked === 'init') return textInit(textGrid(asset).timescale);
      const stretch = stretchOf(asset, part, asked.index);
      if (stretch === undefined) return undefined;
      if (source === undefined) return writeTextSegment(asked, NO_CUES, stretch);
      const named = { rendition: source, track: source.tracks[part]!, part: place };
      const { hasFailed, ...cues } = await cuesOf(`${key}/${part}/${text}`, named, stretch);
      return { ...writeTextSegment(asked, cues, stretch), ...(hasFailed ? { isPassing: true } : {}) };
    },
  };
}

const sizeOf = ({ cues, blocks }: Piece): number =>
  cues.reduce((sum, { text }) => sum + text.length + 100, 100) + blocks.reduce((sum, block) => sum + block.length, 0);

/** What has not come in time is as good as what failed; it is kept for the next when it comes. */
function soon(timers: Timers, reading: Promise<Piece> | Piece, patience: number): Promise<Piece> | Piece {
  if (!(reading instanceof Promise)) return reading;
  return within(timers, patience, reading).then((piece) => piece ?? { ...NO_CUES, hasFailed: true });
}

/** Where segment `index` of a part lies; undefined when there is none. */
function stretchOf(asset: Asset, part: number, index: number): TextStretch | undefined {
  const { timescale, tracks } = textGrid(asset);
  const { borders } = tracks[part]!;
  if (index + 1 >= borders.length) return undefined;
  const zero = Math.round((asset.parts[part]!.zero * timescale) / FLICKS_PER_SECOND);
  return { timescale, zero, from: borders[index]!, to: borders[index + 1]! };
}

/**
 * The source's segments that reach into a stretch, and the one before: cues belong into every segment that they are shown
 * in (RFC 8216 §3.5), but some packagers write them only where they begin.
 */
function piecesIn({ rendition, track: { borders } }: TextPart, { timescale, from, to }: TextStretch): number[] {
  const [start, end] = [(from * rendition.timescale) / timescale, (to * rendition.timescale) / timescale];
  const found: number[] = [];
  for (let index = 0; index + 1 < borders.length && borders[index]! < end; index += 1) {
    if (borders[index + 1]! > start || borders[index + 2]! > start) found.push(index);
  }
  // What lies beyond the end of the source's last segment may still be in it.
  return found.length > 0 ? found.slice(-MOST_PIECES) : borders.length > 1 ? [borders.length - 2] : [];
}

/** A piece may be a whole film: what is not shown in the stretch is gone before anything is done with it. */
function cuesIn(cues: readonly Cue[], { timescale, zero, from, to }: TextStretch): Cue[] {
  const [start, end] = [((from - zero) * 1000) / timescale, ((to - zero) * 1000) / timescale];
  return cues.filter((cue) => cue.end > start && cue.start < end);
}

/** Cues that several segments hold. */
const eachOnce = (cues: readonly Cue[]): Cue[] => [
  ...new Map(cues.map((cue) => [JSON.stringify([cue.start, cue.end, cue.text, cue.settings]), cue])).values(),
];
