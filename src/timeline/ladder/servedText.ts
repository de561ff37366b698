// SPDX-License-Identifier: Apache-2.0
// Text as channels show it: Midroll serves it in segments that begin and end with the video segments, however the source
// divides it, so the laws hold for text as they do for video (docs/decisions/013-subtitle-segments.md). The URL contains the
// asset's key, by which a request for a segment finds the source's text.
import { memo } from '../../cache/memo.ts';
import { defined, withoutUndefined } from '../../invariant.ts';
import { type Asset, hasVideo, type Rendition, type Track } from '../asset/asset.ts';
import type { Cell } from '../asset/clip.ts';
import { MEDIA_BASE } from '../asset/segmentUrl.ts';
import type { Rung } from './ladder.ts';

/** The rendition that text takes its borders from: the first with video, else the first with audio. */
export const textGrid = ({ renditions }: Pick<Asset, 'renditions'>): Rendition =>
  defined(
    renditions.find(({ kind }) => hasVideo(kind)) ?? renditions.find(({ kind }) => kind === 'audio'),
    'an asset has video or audio',
  );

/** The name of empty text in URLs. */
export const EMPTY_TEXT = 'e';

/** @param grid the rendition with the borders @param folder the base URL of the segments of a part: `…/m/…/` */
const textRendition = (id: string, grid: Rendition, folder: (part: number) => string): Rendition => ({
  id,
  kind: 'text',
  container: 'vtt',
  codecs: 'wvtt',
  bandwidth: 0,
  averageBandwidth: 0,
  timescale: grid.timescale,
  tracks: grid.tracks.map(
    ({ borders }, part): Track => ({
      borders,
      urls: { kind: 'number', prefix: folder(part), suffix: '.vtt', first: 0, width: 1 },
    }),
  ),
});

/** The names of TTML in fragmented MP4. */
export const STPP = { init: 'stpp.mp4', suffix: '.stpp.m4s' } as const;

/**
 * Text without cues for an ad or slate, in the codec of its rung: TTML in fragmented MP4 in both formats, or served text.
 * @param folder the base URL of its segments
 */
export function fillerText({ id, codecs }: Pick<Rung, 'id' | 'codecs'>, grid: Rendition, folder: string): Rendition {
  const made = textRendition(id, grid, () => folder);
  if (!codecs.startsWith('stpp')) return made;
  const tracks = made.tracks.map(
    ({ borders }): Track => ({
      init: { url: folder + STPP.init },
      borders,
      urls: { kind: 'number', prefix: folder, suffix: STPP.suffix, first: 0, width: 1 },
    }),
  );
  return { ...made, container: 'fmp4', codecs, tracks };
}

/** By the URL of the text without segment. */
const servedTexts = memo((_: Asset) => new Map<string, Rendition>());

/**
 * @param index the index of the text in the asset's renditions; undefined for empty text
 * @param key the key that the asset is stored under
 */
function servedText(asset: Asset, index: number | undefined, key: string): Rendition {
  const folder = `${MEDIA_BASE}/m/${key}/`;
  const name = `${index ?? EMPTY_TEXT}`;
  const texts = servedTexts(asset);
  const made = texts.get(folder + name) ?? make(asset, index, (part) => `${folder}${part}/${name}/`);
  texts.set(folder + name, made);
  return made;
}

function make(asset: Asset, index: number | undefined, folder: (part: number) => string): Rendition {
  const grid = textGrid(asset);
  const text = index === undefined ? undefined : asset.renditions[index];
  if (text === undefined) return textRendition(EMPTY_TEXT, grid, folder);
  const { id, language, name, isForced, characteristics } = text;
  return {
    ...textRendition(id, grid, folder),
    ...withoutUndefined({ language, name, isForced: isForced || undefined, characteristics }),
  };
}

const fragmented = memo((cell: Cell): Cell => {
  const { urls } = cell.track;
  if (urls.kind !== 'number') return cell;
  const track: Track = { ...cell.track, init: { url: `${urls.prefix}init.mp4` }, urls: { ...urls, suffix: '.m4s' } };
  return { ...cell, track };
});

/**
 * The cell as DASH lists it. DASH players do not agree on WebVTT segments, so the same text is also served as fragmented MP4
 * (ISO/IEC 14496-30). Other cells are returned unchanged.
 */
export const dashCell = (cell: Cell): Cell => (cell.rendition.container === 'vtt' ? fragmented(cell) : cell);

/** Text of a live origin that is listed as it is, in WebVTT files: only HLS lists it, because DASH players do not agree on it. */
export const isPlainText = ({ kind, codecs }: Pick<Rung, 'kind' | 'codecs'>): boolean =>
  kind === 'text' && codecs === '';

// The text rungs of a ladder, and an asset's text for each of them. Missing text is replaced by empty text, so no asset is
// excluded because of it.

/** More text rungs than a player's menu can show. */
const MAX_TEXT_RUNGS = 32;
/** The declared bits per second of text, enough for four lines a second. */
const BANDWIDTH = 4000;

type Described = Pick<Rendition | Rung, 'language' | 'isForced' | 'characteristics'>;

const languageOf = ({ language = 'und' }: Described): string => language.toLowerCase();
const isCaption = ({ characteristics = '' }: Described): boolean => characteristics.includes('public.accessibility.');
/** Texts with different values are different choices for a viewer. */
const choiceOf = (text: Described): string => `${languageOf(text)} ${text.isForced ?? false} ${isCaption(text)}`;

const textsOf = (asset: Asset): Rendition[] => asset.renditions.filter(({ kind }) => kind === 'text');

/** A rung for each language and purpose in the assets, in the order in which they appear. */
export function textRungs(assets: readonly Asset[]): Rung[] {
  const chosen = new Map<string, Rendition>();
  for (const text of assets.flatMap(textsOf)) {
    if (!chosen.has(choiceOf(text))) chosen.set(choiceOf(text), text);
  }
  return [...chosen.values()].slice(0, MAX_TEXT_RUNGS).map(({ language, name, isForced, characteristics }, index) => ({
    id: `t${index}`,
    kind: 'text',
    codecs: 'wvtt',
    bandwidth: BANDWIDTH,
    averageBandwidth: BANDWIDTH,
    ...withoutUndefined({ language, name, isForced: isForced || undefined, characteristics }),
  }));
}

const primary = (text: Described): string => languageOf(text).replace(/-.*/s, '');

/** The index of the best text for a rung; undefined when there is none. Forced text matches only forced text. */
function findText(asset: Asset, rung: Rung): number | undefined {
  const matchers: readonly ((text: Rendition) => boolean)[] = [
    (text) => choiceOf(text) === choiceOf(rung),
    (text) => languageOf(text) === languageOf(rung),
    (text) => primary(text) === primary(rung) && isCaption(text) === isCaption(rung),
    (text) => primary(text) === primary(rung),
  ];
  for (const matches of matchers) {
    const found = asset.renditions.findIndex(
      (text) => text.kind === 'text' && (text.isForced ?? false) === (rung.isForced ?? false) && matches(text),
    );
    if (found >= 0) return found;
  }
  return undefined;
}

/** The text of an asset in a text rung: its own text, or empty text. */
export const textFor = (rung: Rung, asset: Asset, key: string): Rendition =>
  servedText(asset, findText(asset, rung), key);

/** Languages of an asset's text for which a ladder has no rung. */
export function languagesWithoutRung(asset: Asset, rungs: readonly Rung[]): string[] {
  const shown = new Set(rungs.map((rung) => (rung.kind === 'text' ? findText(asset, rung) : undefined)));
  const unused = asset.renditions.flatMap((text, index) => (text.kind === 'text' && !shown.has(index) ? [text] : []));
  return [...new Set(unused.map(({ language = 'und' }) => language))];
}
